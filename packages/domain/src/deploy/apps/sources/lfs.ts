/** A Git LFS pointer in a repository: the digest and size of the file's content. */
export interface LfsPointer {
  /** SHA-256, in hexadecimal digits. */
  readonly oid: string
  readonly size: number
}

/** The maximum size of an LFS pointer file, in bytes. */
export const largestPointer = 1_024

/** The maximum number of LFS files of a repository that are fetched (invariant I25). */
export const mostLfsFiles = 10_000

const pointer =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-\d-[^\n]+\n)*oid sha256:([0-9a-f]{64})\nsize (\d{1,15})\n*$/

/**
 * Reads a file of a repository as a Git LFS pointer; undefined for any other file.
 *
 * @example
 * readLfsPointer("a picture") // => undefined
 */
export const readLfsPointer = (text: string): LfsPointer | undefined => {
  const [, oid, size] = pointer.exec(text) ?? []
  return oid === undefined ? undefined : { oid, size: Number(size) }
}

/**
 * Returns the address of the LFS server of a repository by http(s).
 *
 * `.lfsconfig` is ignored: a repository cannot name another server than its own.
 *
 * @example
 * lfsServerOf("https://forge.example/a/b") // => "https://forge.example/a/b.git/info/lfs"
 * lfsServerOf("https://forge.example/a/b.git/") // => "https://forge.example/a/b.git/info/lfs"
 */
export const lfsServerOf = (url: string): string => `${url.replace(/(?:\.git)?\/*$/, "")}.git/info/lfs`
