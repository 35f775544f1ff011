import { type Commit, encodePath, type FileVersion, noObject, type PatchStyle } from "@slipway/domain/forge/code"
import { DateTime } from "effect"
import { hunksOf, isBinary, type MemoryChange } from "./changes.ts"
import { type MemoryRepository, textToByteString } from "./repository.ts"

const escapes: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", '"': '\\"', "\\": "\\\\" }

/** Returns a path as git writes it: in quotes if it contains special characters. */
const written = (path: string): string => {
  const units = [...encodePath(path)].map((byte) => {
    const character = String.fromCharCode(byte)
    const escaped = escapes[character]
    if (escaped !== undefined) return escaped
    return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, "0")}` : character
  })
  const text = units.join("")
  return units.every((unit) => unit.length === 1) ? text : `"${text}"`
}

/** Returns a path for the header of a patch. If it contains spaces, a tab follows it, as in git. */
const named = (path: string): string => {
  const text = written(path)
  return text.includes(" ") && !text.startsWith('"') ? `${text}\t` : text
}

/** Returns the section heading of a hunk: the last line before the hunk that begins like an identifier. */
const headingOf = (lines: ReadonlyArray<string>, start: number): string => {
  for (let at = start - 2; at >= 0; at--) {
    const line = lines[at] ?? ""
    if (/^[A-Za-z_$]/.test(line)) return ` ${line.slice(0, 80).trimEnd()}`
  }
  return ""
}

const range = (start: number, count: number) => {
  if (count === 0) return `${start - 1},0`
  return count === 1 ? `${start}` : `${start},${count}`
}

const texts = (repository: MemoryRepository, before: FileVersion | undefined, after: FileVersion | undefined) =>
  [before, after].map((version) => (version === undefined ? "" : repository.text(version))) as [string, string]

const hunks = (before: string, after: string, { context = 3, ignoreWhitespace }: PatchStyle): string => {
  const lines = before.split("\n")
  return hunksOf(before, after, context, ignoreWhitespace !== undefined)
    .map(({ lines: changed, newLines, newStart, oldLines, oldStart }) => {
      const head = `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@${headingOf(lines, oldStart)}`
      return `${[head, ...changed].join("\n")}\n`
    })
    .join("")
}

const fileDiff = (repository: MemoryRepository, change: MemoryChange, style: PatchStyle): string => {
  const { after, before, similarity, status } = change
  if (status === "changed") {
    return (
      fileDiff(repository, { ...change, status: "deleted", after: undefined }, style) +
      fileDiff(repository, { ...change, status: "added", before: undefined }, style)
    )
  }
  const [oldPath, newPath] = [before?.path ?? after?.path ?? "", after?.path ?? before?.path ?? ""]
  const none = noObject[repository.format]
  const [from, to] = texts(repository, before, after)
  const header = [`diff --git ${written(`a/${oldPath}`)} ${written(`b/${newPath}`)}`]
  const sameMode = before !== undefined && after !== undefined && before.mode === after.mode
  if (before === undefined) header.push(`new file mode ${after?.mode}`)
  else if (after === undefined) header.push(`deleted file mode ${before.mode}`)
  else if (!sameMode) header.push(`old mode ${before.mode}`, `new mode ${after.mode}`)
  if (status === "renamed") {
    header.push(`similarity index ${Math.floor(similarity * 100)}%`)
    header.push(`rename from ${written(oldPath)}`, `rename to ${written(newPath)}`)
  }
  if (before?.id !== after?.id) {
    const [oldId, newId] = [before, after].map((side) => (side?.id ?? none).slice(0, 7))
    header.push(`index ${oldId}..${newId}${sameMode ? ` ${after.mode}` : ""}`)
  }
  const [old, next] = [
    before === undefined ? "/dev/null" : named(`a/${oldPath}`),
    after === undefined ? "/dev/null" : named(`b/${newPath}`)
  ]
  if (from !== to && (isBinary(from) || isBinary(to))) header.push(`Binary files ${old} and ${next} differ`)
  else {
    const body = hunks(from, to, style)
    if (body !== "") return `${header.join("\n")}\n--- ${old}\n+++ ${next}\n${body}`
  }
  return `${header.join("\n")}\n`
}

/** Returns a difference in git's patch format, as a string with one character per byte. */
export const diffText = (
  repository: MemoryRepository,
  changes: ReadonlyArray<MemoryChange>,
  style: PatchStyle
): string => changes.map((change) => fileDiff(repository, change, style)).join("")

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const two = (number: number) => String(number).padStart(2, "0")

const mailDate = ({ author: { offset, seconds } }: Commit): string => {
  const minutes = (offset.startsWith("-") ? -1 : 1) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3)))
  const { day, hour, minute, month, second, weekDay, year } = DateTime.toPartsUtc(
    DateTime.makeUnsafe((seconds + minutes * 60) * 1_000)
  )
  const clock = [hour, minute, second].map(two).join(":")
  return `${days[weekDay]}, ${day} ${months[month - 1]} ${year} ${clock} ${offset}`
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? "" : "s"}`

/** Returns the diffstat of changes: a line for each file, the totals, and the modes of created and deleted files. */
const summary = (changes: ReadonlyArray<MemoryChange>): string => {
  const rows = changes.map(({ additions, after, before, binary, deletions }) => {
    const name =
      before !== undefined && after !== undefined && before.path !== after.path
        ? `${before.path} => ${after.path}`
        : (after?.path ?? before?.path ?? "")
    return {
      name: written(name),
      count: binary ? "Bin" : String(additions + deletions),
      graph: `${"+".repeat(Math.min(additions, 30))}${"-".repeat(Math.min(deletions, 30))}`
    }
  })
  const [wide, high] = [
    Math.max(...rows.map(({ name }) => name.length)),
    Math.max(...rows.map(({ count }) => count.length))
  ]
  const sum = (key: "additions" | "deletions") => changes.reduce((all, change) => all + change[key], 0)
  const [added, deleted] = [sum("additions"), sum("deletions")]
  const counts = [
    `${plural(changes.length, "file")} changed`,
    ...(added > 0 || deleted === 0 ? [`${plural(added, "insertion")}(+)`] : []),
    ...(deleted > 0 || added === 0 ? [`${plural(deleted, "deletion")}(-)`] : [])
  ]
  const listed = rows.map(({ count, graph, name }) =>
    ` ${name.padEnd(wide)} | ${count.padStart(high)} ${graph}`.trimEnd()
  )
  const modes = changes.flatMap(({ after, before }) => {
    if (before === undefined) return [` create mode ${after?.mode} ${written(after?.path ?? "")}`]
    return after === undefined ? [` delete mode ${before.mode} ${written(before.path)}`] : []
  })
  return `${[...listed, ` ${counts.join(", ")}`, ...modes].join("\n")}\n`
}

/** Returns one patch email for each commit, in the given order, as a string with one character per byte. */
export const mails = (
  repository: MemoryRepository,
  commits: ReadonlyArray<readonly [Commit, ReadonlyArray<MemoryChange>]>,
  style: PatchStyle
): string =>
  commits
    .map(([commit, changes], at) => {
      const [subject = "", ...rest] = commit.message.split("\n\n")
      const number = commits.length === 1 ? "[PATCH]" : `[PATCH ${at + 1}/${commits.length}]`
      const text = rest.join("\n\n")
      const head = [
        `From ${commit.id} Mon Sep 17 00:00:00 2001`,
        `From: ${commit.author.name} <${commit.author.email}>`,
        `Date: ${mailDate(commit)}`,
        `Subject: ${number} ${subject.trimEnd().replaceAll("\n", " ")}`,
        "",
        ...(text === "" ? [] : [text.trimEnd()]),
        "---",
        ""
      ]
      return `${textToByteString(head.join("\n"))}${summary(changes)}\n${diffText(repository, changes, style)}`
    })
    .join("\n")
