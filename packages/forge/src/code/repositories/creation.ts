import { SiteSettings } from "@slipway/domain/forge/base"
import type { ObjectFormat } from "@slipway/domain/forge/code"
import {
  BranchName,
  type FirstCommit,
  labels,
  labelTemplates,
  type Repository,
  type RepositoryName,
  Templates,
  TemplateUnknown
} from "@slipway/domain/forge/code"
import type { Actor, User } from "@slipway/domain/forge/identity"
import { profileOf } from "@slipway/domain/forge/identity"
import { Effect } from "effect"

/** The fields of a new repository. */
export interface NewRepositoryInput {
  readonly name: RepositoryName
  readonly description?: string | undefined
  readonly private?: boolean | undefined
  readonly template?: boolean | undefined
  readonly defaultBranch?: BranchName | undefined
  /** The hash algorithm of git objects; SHA-1 by default. */
  readonly objectFormat?: ObjectFormat | undefined
  /** Whether to create a first commit with a README and the files of the selected templates. */
  readonly autoInit?: boolean | undefined
  /** The name of the README template; the only one is `Default`. */
  readonly readme?: string | undefined
  /** The names of `.gitignore` templates, separated by commas. */
  readonly gitignores?: string | undefined
  /** The key of a licence template, such as `MIT`. */
  readonly license?: string | undefined
  /** The name of the label set that the new repository gets. */
  readonly issueLabels?: string | undefined
}

/** The default branch of new repositories if none is given. */
export const usualBranch = BranchName.make("main")

const list = (text: string) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

const files = Effect.fnUntraced(function* ({
  description = "",
  gitignores = "",
  license = "",
  name,
  readme = ""
}: NewRepositoryInput) {
  const templates = yield* Templates
  if (readme !== "" && readme !== "Default") return yield* new TemplateUnknown({ field: "readme", name: readme })
  const ignored: Array<string> = []
  for (const each of list(gitignores)) {
    const text = templates.gitignore(each)
    if (text === undefined) return yield* new TemplateUnknown({ field: "gitignores", name: each })
    ignored.push(`# ---> ${each}\n${text}\n`)
  }
  const terms = license === "" ? undefined : templates.license(license)
  if (license !== "" && terms === undefined) return yield* new TemplateUnknown({ field: "license", name: license })
  return {
    "README.md": description === "" ? `# ${name}\n` : `# ${name}\n\n${description}\n`,
    ...(ignored.length === 0 ? {} : { ".gitignore": ignored.join("") }),
    ...(terms === undefined ? {} : { LICENSE: terms.body })
  }
})

/** Returns an effect that adds the requested label set to a new repository. Fails if the label set does not exist. */
export const firstLabels = Effect.fnUntraced(function* ({ issueLabels = "" }: NewRepositoryInput) {
  if (issueLabels !== "" && !Object.hasOwn(labelTemplates, issueLabels)) {
    return yield* new TemplateUnknown({ field: "issue_labels", name: issueLabels })
  }
  const set = labelTemplates[issueLabels] ?? []
  return Effect.fnUntraced(function* ({ id: repositoryId }: Repository) {
    const rows = set.map((label) => ({ ...label, organizationId: null, repositoryId, archived: false }))
    yield* Effect.orDie((yield* labels.store).insertMany(rows))
  })
})

/**
 * Returns the files and the message of the first commit; undefined if the repository stays empty. Fails in both cases
 * if a template does not exist.
 */
export const firstCommit = Effect.fnUntraced(function* (
  actor: Actor,
  user: User,
  input: NewRepositoryInput,
  at: string
) {
  const initialFiles = yield* files(input)
  if (input.autoInit !== true) return undefined
  const { host } = yield* SiteSettings
  // A private email address must not appear in the commit.
  const { email } = profileOf(
    { facts: { ...actor.facts, siteAdmin: false }, userId: undefined },
    { ...user, followers: 0, following: 0, starred: 0 },
    host
  )
  return {
    files: initialFiles,
    author: { name: user.fullName === "" ? user.name : user.fullName, email },
    message: "Initial commit",
    at
  } satisfies FirstCommit
})
