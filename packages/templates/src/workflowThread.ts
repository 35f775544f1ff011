import type { YamlRead } from "@slipway/domain/forge/automation"
import { answerEach } from "@slipway/threads/thread"
import { readYaml } from "./workflowYaml.ts"

answerEach((text: string): YamlRead => readYaml(text))
