import { decideIn } from "../ask.ts"
import { ownKindsOf, rulebookIn } from "../customResources.ts"
import type { World } from "../World.ts"
import { escapeXml } from "./report.ts"
import { actionsOn, askerName, askersOf, resourcesIn } from "./resources.ts"

/** A table of permissions in a world: a row for each user, and a column for each action on each resource. */
export interface Matrix {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly who: string; readonly cells: ReadonlyArray<string> }>
}

/** The actions that a matrix shows by default. */
export const usualActions = [
  "organization.read",
  "organization.edit",
  "team.read",
  "repository.read",
  "repository.contents.change",
  "repository.edit",
  "repository.delete",
  "issue.read",
  "issue.edit"
] as const

/** Returns the actions that the matrix of a world shows by default, including actions on custom resource types. */
export const usualActionsIn = (world: World): ReadonlyArray<string> => {
  const rulebook = rulebookIn(world)
  return [...usualActions, ...ownKindsOf(rulebook).flatMap((kind) => actionsOn(kind, rulebook))]
}

/** Returns the permissions of all users for some actions. A cell contains `yes`, or the HTTP status of the denial. */
export const matrixOf = (world: World, names = usualActionsIn(world)): Matrix => {
  const rows = rulebookIn(world).tables.actions
  const unknown = names.find((name) => !Object.hasOwn(rows, name))
  if (unknown !== undefined) throw new Error(`\`${unknown}\` is not an action`)
  const asked = names.flatMap((action) =>
    resourcesIn(world, rows[action]?.on ?? "").map((things) => ({ action, things }))
  )
  return {
    columns: asked.map(({ action, things }) => [action, ...things].join(" ")),
    rows: askersOf(world).map((asker) => ({
      who: askerName(asker),
      cells: asked.map(({ action, things }) => {
        const decision = decideIn(world, asker, action, things)
        return decision.allowed ? "yes" : String(decision.answer.status)
      })
    }))
  }
}

const table = ({ columns, rows }: Matrix): string => {
  // There are few users and many columns, so each column is a line.
  const lines = [
    ["", ...rows.map(({ who }) => who)],
    ...columns.map((column, at) => [column, ...rows.map(({ cells }) => cells[at] ?? "")])
  ]
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? "").length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const csv = ({ columns, rows }: Matrix): string =>
  [["who", ...columns], ...rows.map(({ cells, who }) => [who, ...cells])]
    .map((line) => line.map(quoted).join(","))
    .join("\n")

const markdown = ({ columns, rows }: Matrix): string => {
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const people = rows.map(({ who }) => who)
  return [
    line(["", ...people]),
    line(["---", ...people.map(() => "---")]),
    ...columns.map((column, at) => line([`\`${column}\``, ...rows.map(({ cells }) => cells[at] ?? "")]))
  ].join("\n")
}

const [cell, characterWidth, top] = [26, 7.5, 24]

const svg = ({ columns, rows }: Matrix): string => {
  const left = Math.max(...columns.map(({ length }) => length), 0) * characterWidth + 16
  const across = rows.map(({ who }) => Math.max(cell, who.length * characterWidth + 12))
  const at = (column: number) => left + across.slice(0, column).reduce((sum, width) => sum + width, 0)
  const text = (x: number, y: number, said: string, anchor = "start") =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${escapeXml(said)}</text>`
  const boxes = columns.flatMap((column, line) => {
    const y = top + line * cell
    return [
      text(left - 8, y + 17, column, "end"),
      ...rows.flatMap(({ cells, who }, place) => {
        const said = cells[line] ?? ""
        const [x, width] = [at(place), across[place] ?? cell]
        return [
          `<g><title>${escapeXml(`${who}: ${column}: ${said}`)}</title>`,
          `<rect x="${x}" y="${y}" width="${width - 2}" height="${cell - 2}" class="${said === "yes" ? "yes" : "no"}"/>`,
          `${text(x + width / 2 - 1, y + 17, said === "yes" ? "✓" : said, "middle")}</g>`
        ]
      })
    ]
  })
  const [width, height] = [Math.ceil(at(rows.length)), top + columns.length * cell]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    "<title>Permissions</title>",
    "<style>text{font:12px ui-monospace,monospace;fill:#1b1f24}.yes{fill:#a6e3b8}.no{fill:#e4e7eb}",
    "@media(prefers-color-scheme:dark){text{fill:#e8eaed}.yes{fill:#1f6b3a}.no{fill:#3a3f47}}</style>",
    ...rows.map(({ who }, place) => text(at(place) + (across[place] ?? cell) / 2 - 1, 16, who, "middle")),
    ...boxes,
    "</svg>"
  ].join("\n")
}

/** The output formats of a permission matrix. */
export const matrixFormats = ["table", "csv", "markdown", "svg"] as const

/** An output format of a permission matrix. */
export type MatrixFormat = (typeof matrixFormats)[number]

const shows: { readonly [F in MatrixFormat]: (matrix: Matrix) => string } = { table, csv, markdown, svg }

/** Returns a permission matrix as text in a format. */
export const showMatrix = (format: MatrixFormat, matrix: Matrix): string => shows[format](matrix)
