const block = 512

const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replace(/\0.*$/s, "")

/** The records of an extended header: `<length> <name>=<value>\n` each. */
const recordsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/\d+ ([^=]+)=([^\n]*)\n/g)].map(([, name = "", value = ""]) => [name, value]))

/** Returns the files of a tar archive by their paths; of a link, an arrow and what it leads to. */
export const readTar = (archive: Uint8Array): Readonly<Record<string, string>> => {
  const files: Record<string, string> = {}
  let extended: Readonly<Record<string, string>> = {}
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) break
    const field = (start: number, length: number) => textIn(header.subarray(start, start + length))
    const size = Number.parseInt(field(124, 12).trim() || "0", 8)
    const content = archive.subarray(at + block, at + block + size)
    const kind = field(156, 1)
    const prefix = field(345, 155)
    const path = extended.path ?? (prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`)
    if (kind === "x") extended = recordsIn(new TextDecoder().decode(content))
    else {
      if (kind === "0" || kind === "") files[path] = new TextDecoder().decode(content)
      if (kind === "2") files[path] = `-> ${extended.linkpath ?? field(157, 100)}`
      if (kind !== "g") extended = {}
    }
    at += block + Math.ceil(size / block) * block
  }
  return files
}
