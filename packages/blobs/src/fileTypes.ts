import { FileTypes } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

const unknown = "application/octet-stream"

/**
 * Returns whether bytes are UTF-8 text without control characters that no text has; the last character may be cut off.
 */
const isText = (bytes: Uint8Array): boolean => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return !/\p{Cc}/u.test(text.replaceAll(/[\t\n\f\r]/g, ""))
  } catch {
    return false
  }
}

/** Detects types of files with the file-type library, which is loaded for the first one. */
export const layerFileTypes: Layer.Layer<FileTypes> = Layer.succeed(FileTypes, {
  typeOf: (firstBytes) =>
    Effect.promise(async () => {
      const { fileTypeFromBuffer } = await import("file-type")
      // A file that only begins like a known type has an unknown type.
      const found = await fileTypeFromBuffer(firstBytes).catch(() => undefined)
      return found?.mime ?? (isText(firstBytes) ? "text/plain" : unknown)
    })
})
