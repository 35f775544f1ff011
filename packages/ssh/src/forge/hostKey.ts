import { randomUUID } from "node:crypto"
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { Data, Effect } from "effect"
import ssh2 from "ssh2"

/** The SSH host key of this machine cannot be read or created. */
export class HostKeyUnusable extends Data.TaggedError("HostKeyUnusable")<{ readonly message: string }> {}

const isPrivateKey = (text: string): boolean => {
  const parsed = ssh2.utils.parseKey(text)
  return !(parsed instanceof Error) && parsed.isPrivateKey()
}

/** Generates a private host key in OpenSSH's format. */
export const makeHostKey = (): string => {
  // About one in 400 keys of the library is unreadable: its numbers lose a leading zero.
  for (;;) {
    const privateKey = ssh2.utils.generateKeyPairSync("ed25519").private
    if (isPrivateKey(privateKey)) return privateKey
  }
}

/** Writes a file atomically if it does not exist. If two processes do this concurrently, only one creates the file. */
const writeOnce = async (path: string, text: string) => {
  const own = `${path}.${randomUUID()}`
  try {
    await writeFile(own, text, { mode: 0o600 })
    await link(own, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  } finally {
    await rm(own, { force: true })
  }
}

const present = (path: string) =>
  readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    return undefined
  })

/**
 * Reads the SSH host key of this machine, and creates it on first use.
 *
 * The file is readable only by the user who runs the process. If the key is lost, every client reports a changed host
 * key and refuses to connect.
 */
export const hostKey = (path: string): Effect.Effect<string, HostKeyUnusable> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      if ((await present(path)) === undefined) await writeOnce(path, makeHostKey())
      const text = await readFile(path, "utf8")
      if (!isPrivateKey(text)) throw new Error("it holds no private key")
      return text
    },
    catch: (error) =>
      new HostKeyUnusable({ message: `the SSH host key ${path} cannot be used: ${(error as Error).message}` })
  })
