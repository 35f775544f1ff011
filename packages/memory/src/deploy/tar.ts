const block = 512
const arrow = "-> "

/** A file or a link of an archive; the text of a link is an arrow and what it leads to. */
export interface TarEntry {
  readonly path: string
  readonly content: string
  readonly isLink: boolean
}

const encoder = new TextEncoder()

const headerOf = (path: string, size: number, link: string | undefined): Uint8Array => {
  const header = new Uint8Array(block)
  const put = (at: number, text: string) => header.set(encoder.encode(text), at)
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`
  put(0, path)
  put(100, octal(0o644, 8))
  put(108, octal(0, 8))
  put(116, octal(0, 8))
  put(124, octal(size, 12))
  put(136, octal(0, 12))
  put(148, " ".repeat(8))
  put(156, link === undefined ? "0" : "2")
  put(157, link ?? "")
  put(257, "ustar\0" + "00")
  put(
    148,
    `${octal(
      header.reduce((total, byte) => total + byte, 0),
      7
    )} `
  )
  return header
}

/** Returns a tar archive of entries whose paths have at most 100 bytes. */
export const tarOf = (entries: ReadonlyArray<TarEntry>): Uint8Array => {
  const parts = entries.flatMap(({ content, isLink, path }) => {
    const bytes = isLink ? new Uint8Array() : encoder.encode(content)
    const link = isLink ? content.slice(arrow.length) : undefined
    return [headerOf(path, bytes.length, link), bytes, new Uint8Array((block - (bytes.length % block)) % block)]
  })
  const archive = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 2 * block))
  let at = 0
  for (const part of parts) {
    archive.set(part, at)
    at += part.length
  }
  return archive
}
