import { diffWordsWithSpace, parsePatch } from "diff"
import { type Html, html, nothing } from "../../html/Html.ts"
import { linkButton } from "../../layout/components.ts"
import type { Visit } from "../../page/Page.ts"

/** The limits of a diff on one page: the number of files, the lines of one file, and the lines of all files. */
export const diffLimits = { files: 300, linesOfFile: 3_000, lines: 20_000 } as const

/** The maximum total length, in characters, of a pair of lines that are compared word by word. */
const longestCompared = 500

type Patch = ReturnType<typeof parsePatch>[number]

/** A parsed diff, cut to the limits of a page. */
export interface ParsedDiff {
  readonly files: ReadonlyArray<Patch>
  /** Whether files or lines were left out. */
  readonly isCut: boolean
}

const fileStart = /^diff --git /gm

/** Parses a diff in git's format. Keeps at most the files and lines that a page shows. */
export const parseDiff = (text: string, isWhole: boolean): ParsedDiff => {
  const starts = [...text.matchAll(fileStart)].map(({ index }) => index)
  const files: Array<Patch> = []
  let lines = 0
  let isCut = !isWhole
  for (const [at, start] of starts.entries()) {
    if (files.length >= diffLimits.files || lines >= diffLimits.lines) return { files, isCut: true }
    const part = text.slice(start, starts[at + 1])
    // The last file of a cut text may end within a line.
    if (!isWhole && at === starts.length - 1 && at > 0) break
    const count = part.split("\n").length
    lines += count
    const parsed = count > diffLimits.linesOfFile + 20 ? cutPatch(part) : parsePatch(part)
    if (count > diffLimits.linesOfFile + 20) isCut = true
    files.push(...parsed)
  }
  return { files, isCut }
}

/** Parses the file names of one file of a diff, without its lines. Used if the file has too many lines. */
const cutPatch = (part: string): Array<Patch> => {
  const hunks = part.indexOf("\n@@ ")
  return parsePatch(hunks < 0 ? part : part.slice(0, hunks + 1))
}

const nameIn = (name: string | undefined): string | undefined =>
  name === undefined || name === "/dev/null" ? undefined : name.replace(/^[ab]\//, "")

/** Returns the name of a file after the change. If the file was removed, returns its former name. */
export const patchName = ({ newFileName, oldFileName }: Patch): string =>
  nameIn(newFileName) ?? nameIn(oldFileName) ?? ""

const marked = (before: string, after: string, side: "add" | "del"): Html =>
  before.length + after.length > longestCompared
    ? html`${side === "add" ? after : before}`
    : html`${diffWordsWithSpace(before, after)
        .filter(({ added, removed }) => (side === "add" ? !removed : !added))
        .map(({ added, removed, value }) =>
          added ? html`<ins>${value}</ins>` : removed ? html`<del>${value}</del>` : html`${value}`
        )}`

type Row = { readonly kind: "same" | "add" | "del"; readonly old?: number; readonly new?: number; readonly text: Html }

const rowsOf = ({ lines, newStart, oldStart }: Patch["hunks"][number]): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  let [old, now] = [oldStart, newStart]
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ""
    if (line.startsWith("-")) {
      const blockEnd = (from: number, sign: string) => {
        let end = from
        while (lines[end]?.startsWith(sign) === true) end++
        return end
      }
      const added = blockEnd(at, "-")
      const end = blockEnd(added, "+")
      const removedLines = lines.slice(at, added).map((each) => each.slice(1))
      const addedLines = lines.slice(added, end).map((each) => each.slice(1))
      // Lines are compared by words only where each has its counterpart.
      const isPaired = removedLines.length === addedLines.length
      for (const [index, text] of removedLines.entries()) {
        const shown = isPaired ? marked(text, addedLines[index] ?? "", "del") : html`${text}`
        rows.push({ kind: "del", old: old++, text: shown })
      }
      for (const [index, text] of addedLines.entries()) {
        const shown = isPaired ? marked(removedLines[index] ?? "", text, "add") : html`${text}`
        rows.push({ kind: "add", new: now++, text: shown })
      }
      at = end
      continue
    }
    if (line.startsWith("+")) rows.push({ kind: "add", new: now++, text: html`${line.slice(1)}` })
    else if (!line.startsWith("\\")) rows.push({ kind: "same", old: old++, new: now++, text: html`${line.slice(1)}` })
    at++
  }
  return rows
}

/** A line number on one side of a diff (old or new). */
export interface DiffLine {
  readonly side: "old" | "new"
  readonly line: number
}

/** Functions that add content to a diff, such as the comments on its lines. */
export interface DiffExtras {
  /** Renders the content next to the plus or minus sign of a line, such as the link that opens a comment form. */
  readonly mark: (path: string, line: DiffLine) => Html
  /** Renders the content of a separate row below a line; undefined if there is none. */
  readonly below: (path: string, lines: ReadonlyArray<DiffLine>) => Html | undefined
  /** Renders the content at the end of a file; `shown` are its displayed lines. */
  readonly end: (path: string, shown: ReadonlyArray<DiffLine>) => Html | undefined
}

/** Returns the line numbers of a row of the diff. An unchanged row has a line number on both sides. */
const linesOf = (row: Row): ReadonlyArray<DiffLine> => [
  ...(row.new === undefined ? [] : [{ side: "new" as const, line: row.new }]),
  ...(row.old === undefined ? [] : [{ side: "old" as const, line: row.old }])
]

const signs = { same: "", add: "+", del: "−" } as const

const fileTable = (visit: Visit, patch: Patch, extras: DiffExtras | undefined): Html => {
  const { code } = visit.texts
  if (patch.isBinary === true) return html`<div class="body soft">${code.binaryDiff}</div>`
  if (patch.hunks.length === 0) return html`<div class="body soft">${code.noChanges}</div>`
  const name = patchName(patch)
  const shown: Array<DiffLine> = []
  const extra = (row: Row): Html => {
    const lines = linesOf(row)
    shown.push(...lines)
    const below = extras?.below(name, lines)
    return below === undefined ? nothing : html`<tr class="below"><td colspan="4">${below}</td></tr>`
  }
  const mark = (row: Row): Html => {
    const [line] = linesOf(row)
    return extras === undefined || line === undefined ? nothing : extras.mark(name, line)
  }
  const table = html`<div class="scroll"><table class="diff mono"><thead class="hidden-text"><tr><th scope="col">${code.oldLine}</th><th scope="col">${code.newLine}</th><td></td><th scope="col">${code.content}</th></tr></thead><tbody>${patch.hunks.flatMap(
    (hunk) => [
      html`<tr class="hunk"><td class="number"></td><td class="number"></td><td colspan="2">@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@</td></tr>`,
      ...rowsOf(hunk).map(
        (row) =>
          html`<tr class="${row.kind}"><td class="number" data-line="${row.old ?? ""}"></td><td class="number" data-line="${row.new ?? ""}"></td><td class="sign">${mark(row)}${signs[row.kind]}</td><td>${row.text}</td></tr>${extra(row)}`
      )
    ]
  )}</tbody></table></div>`
  return html`${table}${extras?.end(name, shown)}`
}

const countOf = ({ hunks }: Patch, sign: string): number =>
  hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0)

/** Renders each file of a diff as a card. A diff that was cut ends with a link to the complete diff, `whole`. */
export const diffView = (visit: Visit, { files, isCut }: ParsedDiff, whole: string, extras?: DiffExtras): Html => {
  const { code } = visit.texts
  return html`${files.map((patch, at) => {
    const name = patchName(patch)
    const [added, removed] = [countOf(patch, "+"), countOf(patch, "-")]
    const from = patch.isRename === true ? nameIn(patch.oldFileName) : undefined
    return html`<section class="card" id="diff-${at}" aria-label="${name}"><header><b class="mono grow">${name}</b>${from !== undefined && html`<span class="small soft">${code.renamed(from)}</span>`}<span class="badge"><span class="hidden-text">${code.changed(added, removed)}</span><span aria-hidden="true">+${added} −${removed}</span></span></header>${fileTable(visit, patch, extras)}</section>`
  })}${isCut ? html`<section class="card"><div class="body row"><span>${code.diffCut}</span>${linkButton(whole, code.wholeDiff, "download")}</div></section>` : nothing}`
}
