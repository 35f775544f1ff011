import { createHash } from "node:crypto"
import { createReadStream, createWriteStream, existsSync } from "node:fs"
import { mkdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { createTarDecoder, createTarPacker } from "modern-tar"

/** A file of a backup. */
export interface Entry {
  readonly path: string
  readonly size: number
  readonly body: AsyncIterable<Uint8Array>
}

/** A line of the checksum file. */
interface Checksum {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** After how many files their checksums are written, to bound memory. */
const checksumsEach = 1_000
const checksums = /^checksums\/\d{8}\.jsonl$/
const checksumsPath = (count: number): string => `checksums/${String(count).padStart(8, "0")}.jsonl`
const lastLine = "end"

/** Accepts paths inside of the backup only. */
const isPath = (path: string): boolean =>
  !/[\p{Cc}\\]/u.test(path) && !path.split("/").some((part) => part === "" || part === "." || part === "..")

/** Reports a damaged backup, or a file that is not a backup. */
export class BackupDamaged extends Error {}

/** The target of a backup: a directory or a tar archive. */
interface ArchiveTarget {
  readonly put: (entry: Entry) => Promise<void>
  readonly close: () => Promise<void>
}

const isTar = (path: string): boolean => path.endsWith(".tar")

/** Writes a file and syncs it to disk. */
export const writeFileFrom = async (path: string, body: AsyncIterable<Uint8Array>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(body, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }))
}

const directoryPlace = (root: string): ArchiveTarget => ({
  put: ({ body, path }) => writeFileFrom(join(root, path), body),
  close: async () => {}
})

const tarPlace = async (file: string): Promise<ArchiveTarget> => {
  const { controller, readable } = createTarPacker()
  await mkdir(dirname(file), { recursive: true })
  const written = pipeline(
    Readable.fromWeb(readable as never),
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true })
  )
  // It is awaited at the end, and fails there.
  written.catch((error) => controller.error(error))
  return {
    put: async ({ body, path, size }) => {
      const writer = controller.add({ name: path, size, mode: 0o600, mtime: new Date() }).getWriter()
      for await (const chunk of body) await writer.write(new Uint8Array(chunk))
      await writer.close()
    },
    close: () => {
      controller.finalize()
      return written
    }
  }
}

/** Writes a backup. */
export interface BackupWriter {
  /** Adds a file; its content must have the declared size. */
  readonly add: (entry: Entry) => Promise<void>
}

/** Writes a backup from the files that `write` adds, with their checksums; atomic. */
export const writeBackup = async (target: string, write: (writer: BackupWriter) => Promise<void>): Promise<void> => {
  if (existsSync(target)) throw new Error(`${target} already exists`)
  const making = `${resolve(target)}.partial`
  await rm(making, { recursive: true, force: true })
  try {
    const place = isTar(target) ? await tarPlace(making) : directoryPlace(making)
    let lines: Array<string> = []
    let count = 0
    const flush = async () => {
      const bytes = Buffer.from(lines.join(""))
      const path = checksumsPath(count)
      lines = []
      count += 1
      await place.put({ path, size: bytes.length, body: Readable.from([bytes]) })
    }
    await write({
      add: async ({ body, path, size }) => {
        if (!isPath(path)) throw new Error(`the name \`${path}\` cannot be part of a backup`)
        const hash = createHash("sha256")
        let seen = 0
        const watched = async function* () {
          for await (const chunk of body) {
            hash.update(chunk)
            seen += chunk.length
            if (seen > size) break
            yield chunk
          }
          if (seen !== size) throw new Error(`${path} changed while it was read`)
        }
        await place.put({ path, size, body: watched() })
        lines.push(`${JSON.stringify({ path, size, sha256: hash.digest("hex") } satisfies Checksum)}\n`)
        if (lines.length === checksumsEach) await flush()
      }
    })
    lines.push(`${JSON.stringify(lastLine)}\n`)
    await flush()
    await place.close()
    await rename(making, target)
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const readChecksums = (text: string): { readonly files: ReadonlyArray<Checksum>; readonly isLast: boolean } => {
  const lines = text
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Checksum | typeof lastLine]))
  const files = lines.filter((line): line is Checksum => line !== lastLine)
  return { files, isLast: files.length < lines.length }
}

async function* tarEntries(file: string): AsyncGenerator<Entry> {
  const decoder = createTarDecoder({ strict: true })
  const read = pipeline(createReadStream(file), async (bytes) => {
    const writer = decoder.writable.getWriter()
    for await (const chunk of bytes) await writer.write(new Uint8Array(chunk))
    await writer.close()
  })
  // The decoder reports errors of the archive as well.
  read.catch(() => {})
  for await (const { body, header } of decoder.readable) {
    if (header.type !== undefined && header.type !== "file") throw new BackupDamaged(`${header.name} is not a file`)
    yield { path: header.name, size: header.size, body: body as AsyncIterable<Uint8Array> }
  }
  await read
}

const read = async function* (file: string) {
  yield* createReadStream(file)
}

async function* directoryEntries(root: string): AsyncGenerator<Entry> {
  for (let count = 0; ; count++) {
    const path = checksumsPath(count)
    const file = join(root, path)
    const { files, isLast } = readChecksums(await textOf(read(file)))
    for (const { path: each } of files) {
      if (!isPath(each)) throw new BackupDamaged(`the name \`${each}\` cannot be part of a backup`)
      yield { path: each, size: (await stat(join(root, each))).size, body: read(join(root, each)) }
    }
    yield { path, size: (await stat(file)).size, body: read(file) }
    if (isLast) return
  }
}

const entriesOf = (source: string): AsyncGenerator<Entry> =>
  isTar(source) ? tarEntries(source) : directoryEntries(source)

/** Reads the compressed text files of a backup below a folder, line by line. */
export async function* linesIn(source: string, folder: string): AsyncGenerator<string> {
  for await (const { body, path } of entriesOf(source)) {
    if (path.startsWith(`${folder}/`)) {
      let rest = ""
      for await (const text of Readable.from(body).pipe(createGunzip()).setEncoding("utf8")) {
        const lines = (rest + text).split("\n")
        rest = lines.pop() ?? ""
        yield* lines
      }
      if (rest !== "") yield rest
    } else for await (const _ of body);
  }
}

/**
 * Passes the files of a backup in their order to `take`, and verifies the checksums.
 *
 * The result is known only after the last file.
 */
export const readBackup = async (source: string, take: (entry: Entry) => Promise<void>): Promise<number> => {
  let found: Array<Checksum> = []
  let count = 0
  let isWhole = false
  for await (const { body, path, size } of entriesOf(source)) {
    if (isWhole) throw new BackupDamaged("there is data after the end of the backup")
    if (checksums.test(path)) {
      const { files, isLast } = readChecksums(await textOf(body))
      const wrong = found.find(
        (file, index) =>
          file.path !== files[index]?.path || file.size !== files[index].size || file.sha256 !== files[index].sha256
      )
      if (wrong !== undefined) throw new BackupDamaged(`${wrong.path} does not match its checksum`)
      if (files.length !== found.length) throw new BackupDamaged(`${files[found.length]?.path} is missing`)
      found = []
      isWhole = isLast
      continue
    }
    if (!isPath(path)) throw new BackupDamaged(`the name \`${path}\` cannot be part of a backup`)
    const hash = createHash("sha256")
    const watched = async function* () {
      for await (const chunk of body) {
        hash.update(chunk)
        yield chunk
      }
    }
    const rest = watched()
    await take({ path, size, body: rest })
    // Compares unused files as well.
    for await (const _ of rest);
    found.push({ path, size, sha256: hash.digest("hex") })
    count += 1
  }
  if (!isWhole) throw new BackupDamaged("the backup is truncated")
  return count
}
