import { FileTypes } from "@slipway/domain/forge/code"
import { Effect, Layer } from "effect"

const unknown = "application/octet-stream"

/**
 * Returns whether bytes are UTF-8 text: valid encoding, and no control characters that text files never contain. The
 * last character may be incomplete.
 */
const isText = (bytes: Uint8Array): boolean => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return !/\p{Cc}/u.test(text.replaceAll(/[\t\n\f\r]/g, ""))
  } catch {
    return false
  }
}

/** Detects file types with the file-type library, which is loaded at the first call. */
export const layerFileTypes: Layer.Layer<FileTypes> = Layer.succeed(FileTypes, {
  typeOf: (firstBytes) =>
    Effect.promise(async () => {
      const { fileTypeFromBuffer } = await import("file-type")
      // A file that only begins like a known type has an unknown type.
      const found = await fileTypeFromBuffer(firstBytes).catch(() => undefined)
      return found?.mime ?? (isText(firstBytes) ? "text/plain" : unknown)
    })
})
