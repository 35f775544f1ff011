import {
  decodePath,
  type FileChange,
  type FileMode,
  type FileStatus,
  type FileVersion,
  isObjectId,
  type ObjectId
} from "@slipway/domain/forge/code"

/** Splits git's output on NUL bytes. */
export const tokensOf = (bytes: Buffer): Array<string> => {
  const tokens: Array<string> = []
  let at = 0
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
    tokens.push(decodePath(bytes.subarray(at, end)))
    at = end + 1
  }
  if (at < bytes.length) tokens.push(decodePath(bytes.subarray(at)))
  return tokens
}

const statuses: Readonly<Record<string, FileStatus>> = {
  A: "added",
  C: "copied",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "changed"
}

/** The parsed content of one line of `git diff-tree --raw`. */
interface RawLine {
  readonly status: FileStatus
  readonly modes: readonly [string, string]
  readonly ids: readonly [ObjectId, ObjectId]
}

const rawLine = (token: string): RawLine => {
  const [from = "", to = "", one = "", other = "", status = ""] = token.slice(1).split(" ")
  return {
    status: statuses[status.charAt(0)] ?? "modified",
    modes: [from, to],
    ids: [one as ObjectId, other as ObjectId]
  }
}

interface Lines {
  readonly additions: number
  readonly deletions: number
  readonly binary: boolean
}

const version = (path: string, mode: string, id: ObjectId): FileVersion => ({ path, mode: mode as FileMode, id })

const change = ({ ids, modes, status }: RawLine, from: string, to: string, lines: Lines): FileChange => ({
  status,
  before: status === "added" ? undefined : version(from, modes[0], ids[0]),
  after: status === "deleted" ? undefined : version(to, modes[1], ids[1]),
  ...lines
})

const noLines: Lines = { additions: 0, deletions: 0, binary: false }

/** Parses a token of `--numstat`: two numbers, or two dashes for a binary file, and the path. */
const countOf = (token = ""): ReadonlyArray<string> | undefined => /^(-|\d+)\t(-|\d+)\t(.*)$/s.exec(token)?.slice(1)

/**
 * Parses the changes of one commit in the output of `git diff-tree -z --raw --numstat`, starting at a token; also
 * returns the index of the next token.
 */
const readChanges = (tokens: ReadonlyArray<string>, begin: number): readonly [Array<FileChange>, number] => {
  const raw: Array<readonly [RawLine, string, string]> = []
  let at = begin
  for (; tokens[at]?.startsWith(":"); ) {
    const line = rawLine(tokens[at] ?? "")
    const from = tokens[at + 1] ?? ""
    const two = line.status === "renamed" || line.status === "copied"
    raw.push([line, from, two ? (tokens[at + 2] ?? "") : from])
    at += two ? 3 : 2
  }
  // If whitespace is ignored, git counts no lines of files without other differences.
  const counts = new Map<string, Lines>()
  for (let counted = countOf(tokens[at]); counted !== undefined; counted = countOf(tokens[at])) {
    const [added = "", deleted = "", path = ""] = counted
    const binary = added === "-"
    counts.set(path === "" ? (tokens[at + 2] ?? "") : path, {
      additions: binary ? 0 : Number(added),
      deletions: binary ? 0 : Number(deleted),
      binary
    })
    at += path === "" ? 3 : 1
  }
  return [raw.map(([line, from, to]) => change(line, from, to, counts.get(to) ?? noLines)), at]
}

/** Parses the changes in the output of `git diff-tree` for one pair of trees. */
export const changesIn = (bytes: Buffer): ReadonlyArray<FileChange> => readChanges(tokensOf(bytes), 0)[0]

/** Parses the changes of several commits in the output of `git diff-tree`, where each follows the id of its commit. */
export const changesByCommit = (bytes: Buffer): ReadonlyMap<ObjectId, ReadonlyArray<FileChange>> => {
  const tokens = tokensOf(bytes)
  const found = new Map<ObjectId, ReadonlyArray<FileChange>>()
  for (let at = 0; at < tokens.length; ) {
    const id = tokens[at] ?? ""
    if (!isObjectId(id)) throw new Error("git wrote a difference that can't be read")
    const [changes, next] = readChanges(tokens, at + 1)
    found.set(id, changes)
    at = next
  }
  return found
}
