import { gitReader as reader, gitRepositories as repositories, gitWriter as writer } from "@slipway/memory/forge"
import { register } from "@slipway/testkit"
import { Contracts } from "@slipway/testkit/forge"
import { Layer } from "effect"

register("memory", Layer.mergeAll(repositories, reader, writer), [
  Contracts.gitReader,
  Contracts.gitRepositories,
  Contracts.gitWriter
])
