import { FileTypes } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

const unknown = "application/octet-stream"

/** Tells whether bytes are text in UTF-8, of which the last character may be cut off, without those that no text has. */
const isText = (bytes: Uint8Array): boolean => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return !/\p{Cc}/u.test(text.replaceAll(/[\t\n\f\r]/g, ""))
  } catch {
    return false
  }
}

/** Knows types of files with the file-type library, which is loaded for the first one. */
export const layerFileTypes: Layer.Layer<FileTypes> = Layer.succeed(FileTypes, {
  typeOf: (firstBytes) =>
    Effect.promise(async () => {
      const { fileTypeFromBuffer } = await import("file-type")
      // What begins like a kind of file and isn't one is nothing that anybody knows.
      const found = await fileTypeFromBuffer(firstBytes).catch(() => undefined)
      return found?.mime ?? (isText(firstBytes) ? "text/plain" : unknown)
    })
})
