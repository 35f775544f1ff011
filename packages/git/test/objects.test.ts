import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "@effect/vitest"
import { layerGitObjects, layerGitRepositories } from "@slipway/git/forge"
import { register } from "@slipway/testkit"
import { gitReader, gitWriter } from "@slipway/testkit/forge"
import { Effect, Layer } from "effect"

const folder = mkdtempSync(join(tmpdir(), "slipway-git-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let roots = 0
const newRoot = () => join(folder, String(roots++))
const at = (root: string) => Layer.mergeAll(layerGitRepositories(root), layerGitObjects(root))

register("git", Layer.unwrap(Effect.sync(() => at(newRoot()))), [gitReader, gitWriter])
