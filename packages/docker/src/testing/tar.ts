const block = 512

const field = (header: Uint8Array, at: number, text: string): void => {
  header.set(new TextEncoder().encode(text), at)
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, "0")}\0`

const headerOf = (name: string, size: number, mode: number): Uint8Array => {
  const header = new Uint8Array(block)
  field(header, 0, name)
  field(header, 100, octal(mode, 8))
  field(header, 108, octal(0, 8))
  field(header, 116, octal(0, 8))
  field(header, 124, octal(size, 12))
  field(header, 136, octal(0, 12))
  field(header, 148, " ".repeat(8))
  field(header, 156, "0")
  field(header, 257, "ustar\0" + "00")
  const sum = header.reduce((total, byte) => total + byte, 0)
  field(header, 148, `${sum.toString(8).padStart(6, "0")}\0 `)
  return header
}

/** Returns a tar archive of small files, by their names of at most 100 characters; those below `bin/` can be run. */
export const tarOf = (files: Readonly<Record<string, string | Uint8Array>>): Uint8Array => {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
    const padding = new Uint8Array((block - (bytes.length % block)) % block)
    return [headerOf(name, bytes.length, name.startsWith("bin/") ? 0o755 : 0o644), bytes, padding]
  })
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(2 * block)]))
}
