import { Result, Schema } from "effect"
import { hasTooManyValues, problemsOf, tooManyValuesMessage } from "../../../Problems.ts"
import { Manifest, type ManifestApplication, manifestFile } from "./Manifest.ts"
import type { ManifestContent } from "./ManifestReader.ts"

/** An error in a manifest: its line, its field, and a message that also says how to fix it. */
export interface ManifestProblem {
  readonly line: number
  readonly field: string
  readonly problem: string
}

/** An error in a manifest without its line. */
export type FieldProblem = Omit<ManifestProblem, "line">

/** Returns the line of a manifest field; for a missing field, the line of its closest parent. */
export const lineOf = ({ lines }: Pick<ManifestContent, "lines">, field: string): number => {
  for (let path = field; path !== ""; path = path.slice(0, Math.max(0, path.lastIndexOf(".")))) {
    const line = lines.get(path)
    if (line !== undefined) return line
  }
  return 1
}

/** Adds the lines to errors in a manifest, and sorts the errors by line. */
export const withLines = (
  content: Pick<ManifestContent, "lines">,
  problems: ReadonlyArray<FieldProblem>
): ReadonlyArray<ManifestProblem> =>
  problems
    .map(({ field, problem }) => ({ line: lineOf(content, field), field, problem }))
    .toSorted((one, other) => one.line - other.line)

const decode = Schema.decodeUnknownResult(Manifest, { errors: "all", onExcessProperty: "error" })

const entriesOf = <A>(map: Readonly<Record<string, A>> | undefined) => Object.entries(map ?? {})

const applicationProblems = (
  path: string,
  { secrets = [], variables }: ManifestApplication,
  databases: ReadonlyArray<string>
): ReadonlyArray<FieldProblem> =>
  entriesOf(variables).flatMap(([key, value]) => {
    const field = `${path}.variables.${key}`
    if (secrets.includes(key)) return [{ field, problem: `Must not be in \`secrets\` too: remove one of both.` }]
    if (typeof value !== "object" || databases.includes(value.database)) return []
    const problem = `There is no database \`${value.database}\` in this file: add it to \`databases\`.`
    return [{ field: `${field}.database`, problem }]
  })

const referenceProblems = ({ applications, databases, environments }: Manifest): ReadonlyArray<FieldProblem> => {
  const known = Object.keys(databases ?? {})
  const branches = new Map<string, string>()
  const environmentProblems = entriesOf(environments).flatMap(([name, { applications: changed, branch }]) => {
    const path = `environments.${name}`
    const other = branches.get(branch)
    branches.set(branch, name)
    const shared = `The environment \`${other}\` has the branch \`${branch}\` too: use one branch for each.`
    return [
      ...(other === undefined ? [] : [{ field: `${path}.branch`, problem: shared }]),
      ...entriesOf(changed).flatMap(([application, settings]) => {
        const field = `${path}.applications.${application}`
        return applications[application] === undefined
          ? [{ field, problem: `There is no application \`${application}\`: add it to \`applications\`.` }]
          : applicationProblems(field, settings, known)
      })
    ]
  })
  return [
    ...entriesOf(applications).flatMap(([name, settings]) =>
      applicationProblems(`applications.${name}`, settings, known)
    ),
    ...environmentProblems
  ]
}

/**
 * Replaces numbers and booleans in the variables of an application by their text in the file, because YAML parses the
 * version `1.10` as the number 1.1.
 */
const asWritten = (
  texts: ManifestContent["texts"],
  path: string,
  settings: ManifestApplication
): ManifestApplication => {
  const { variables } = settings
  if (variables === undefined) return settings
  const written = Object.entries(variables).map(([key, value]) => [key, texts.get(`${path}.variables.${key}`) ?? value])
  return { ...settings, variables: Object.fromEntries(written) }
}

const withWrittenVariables = (texts: ManifestContent["texts"], manifest: Manifest): Manifest => {
  const inside = (path: string, applications: Manifest["applications"]) =>
    Object.fromEntries(
      Object.entries(applications).map(([name, each]) => [name, asWritten(texts, `${path}.${name}`, each)])
    )
  const environments = Object.entries(manifest.environments ?? {}).map(([name, each]) => {
    const { applications } = each
    if (applications === undefined) return [name, each]
    return [name, { ...each, applications: inside(`environments.${name}.applications`, applications) }]
  })
  return {
    ...manifest,
    applications: inside("applications", manifest.applications),
    ...(manifest.environments === undefined ? {} : { environments: Object.fromEntries(environments) })
  }
}

/**
 * Validates parsed YAML as a manifest; fails with all errors and their lines. Numbers and booleans in variables become
 * the texts in the file, such as `1.10`.
 */
export const checkManifest = (content: ManifestContent): Result.Result<Manifest, ReadonlyArray<ManifestProblem>> => {
  const refuse = (problems: ReadonlyArray<FieldProblem>) => Result.fail(withLines(content, problems))
  if (hasTooManyValues(content.value)) return refuse([{ field: manifestFile, problem: tooManyValuesMessage }])
  const decoded = decode(content.value)
  if (Result.isFailure(decoded)) {
    const found = Object.entries(problemsOf(decoded.failure.issue, manifestFile))
    return refuse(found.flatMap(([field, each]) => each.map((problem) => ({ field, problem }))))
  }
  const problems = referenceProblems(decoded.success)
  return problems.length > 0 ? refuse(problems) : Result.succeed(withWrittenVariables(content.texts, decoded.success))
}

/** Formats the errors of a manifest as one line, for the reason of a failed deployment and for a commit status. */
export const describeProblems = (problems: ReadonlyArray<ManifestProblem>): string => {
  const [first, ...others] = problems
  if (first === undefined) return ""
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`
  return `${manifestFile}: line ${first.line}: ${first.field}: ${first.problem}${more}`
}
