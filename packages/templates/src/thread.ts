import type { EditorSettings } from "@slipway/domain/forge/collaboration"
import { answerEach } from "@slipway/threads/thread"
import { parseFromFilesSync } from "editorconfig"

/**
 * A request to the worker thread: return the editor settings of a file, from the `.editorconfig` in the root of the
 * repository.
 */
export interface Question {
  readonly settings: Uint8Array
  readonly path: string
}

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

answerEach(({ path, settings }: Question): EditorSettings => {
  const file = { name: "/.editorconfig", contents: Buffer.from(settings) }
  try {
    const found = parseFromFilesSync(`/${path}`, [file], { root: "/" })
    return Object.fromEntries(Object.entries(found).filter(([, value]) => isPlain(value))) as EditorSettings
  } catch {
    return {}
  }
})
