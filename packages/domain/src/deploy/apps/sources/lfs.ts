/** A Git LFS pointer in a repository: the digest and size of the file's content. */
export interface LfsPointer {
  /** The SHA-256 digest of the content, in hexadecimal digits. */
  readonly oid: string
  readonly size: number
}

/** The maximum size of an LFS pointer file, in bytes. */
export const largestPointer = 1_024

/** The maximum number of LFS files of a repository that a checkout fetches (invariant I25: bounded resources). */
export const mostLfsFiles = 10_000

const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-[^\n]+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n*$/

/**
 * Parses the text of a Git LFS pointer file; undefined for any other text.
 *
 * @example
 * readLfsPointer("a picture") // => undefined
 */
export const readLfsPointer = (text: string): LfsPointer | undefined => {
  const [, oid, size] = pointer.exec(text) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

/**
 * Returns the URL of the Git LFS server for a repository with an http(s) address.
 *
 * The file `.lfsconfig` is ignored, so a repository cannot select another server.
 *
 * @example
 * lfsServerOf("https://forge.example/a/b") // => "https://forge.example/a/b.git/info/lfs"
 * lfsServerOf("https://forge.example/a/b.git/") // => "https://forge.example/a/b.git/info/lfs"
 */
export const lfsServerOf = (url: string): string => `${url.replace(/(?:\.git)?\/*$/, "")}.git/info/lfs`
