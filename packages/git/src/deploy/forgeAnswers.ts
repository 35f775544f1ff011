import type { ForgeApproval, HostedBranch, HostedRepository } from "@slipway/domain/deploy/apps"
import { type Effect, Schema } from "effect"

const reading = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(schema))

/** Parses the JSON response with the user name of a token's account. */
export const readAccount = reading(Schema.Struct({ login: Schema.NonEmptyString }))
/** Reads the id and the name of the account of a token. */
export const readPerson = reading(Schema.Struct({ id: Schema.Int, login: Schema.NonEmptyString }))
/** Parses the JSON response with the text of a new token. */
export const readToken = reading(Schema.Struct({ sha1: Schema.NonEmptyString }))
/** Reads the new secret of an OAuth2 client. */
export const readClientSecret = reading(Schema.Struct({ client_secret: Schema.NonEmptyString }))
/** Parses the JSON response with a repository. */
export const readRepository = reading(
  Schema.Struct({
    name: Schema.String,
    owner: Schema.Struct({ login: Schema.String }),
    default_branch: Schema.optionalKey(Schema.NullOr(Schema.String)),
    empty: Schema.optionalKey(Schema.Boolean),
    permissions: Schema.optionalKey(Schema.NullOr(Schema.Struct({ admin: Schema.Boolean })))
  })
)
/** Parses the JSON response with the entries of a folder. */
export const readFiles = reading(Schema.Array(Schema.Struct({ name: Schema.String, type: Schema.String })))
/** Parses the JSON response with webhooks and their settings. */
export const readHooks = reading(
  Schema.Array(Schema.Struct({ id: Schema.Number, config: Schema.Record(Schema.String, Schema.String) }))
)

/** Parses the JSON response with deploy keys. */
export const readKeys = reading(
  Schema.Array(Schema.Struct({ id: Schema.Number, key: Schema.String, title: Schema.String }))
)

/** Parses the JSON response with comments and their authors. */
export const readComments = reading(
  Schema.Array(
    Schema.Struct({
      id: Schema.Number,
      body: Schema.String,
      user: Schema.NullOr(Schema.Struct({ login: Schema.String }))
    })
  )
)

/** Parses the JSON response with the deployments of a repository. */
export const readDeployments = reading(
  Schema.Array(
    Schema.Struct({ id: Schema.Number, task: Schema.String, sha: Schema.String, environment: Schema.String })
  )
)

/** Parses the JSON response with the id of a created deployment. */
export const readDeployment = reading(Schema.Struct({ id: Schema.Number }))

/** Parses the JSON response with the approval state of a deployment. */
export const readApproval = reading(
  Schema.Struct({
    state: Schema.Literals(["approved", "rejected", "waiting"]),
    waiting_until: Schema.NullOr(Schema.String),
    reviewers: Schema.Array(
      Schema.Struct({
        reviewer: Schema.Struct({ login: Schema.optionalKey(Schema.String), name: Schema.optionalKey(Schema.String) })
      })
    ),
    review: Schema.NullOr(
      Schema.Struct({ comment: Schema.String, user: Schema.NullOr(Schema.Struct({ login: Schema.String })) })
    )
  })
)
/** Parses the JSON response with the protection rules of an environment. */
export const readEnvironment = reading(Schema.Struct({ protection_rules: Schema.Array(Schema.Unknown) }))
/** Parses the JSON response with an error message. */
export const readMessage = reading(Schema.Struct({ message: Schema.String }))

/** The approval state of a deployment that needs no approval. */
export const approved: ForgeApproval = { state: "approved", because: "" }

/** Returns what a deployment waits for, or why it was rejected, as a phrase for messages; `""` if it is approved. */
export const reasonOf = (
  environment: string,
  { review, reviewers, state, waiting_until }: Effect.Success<ReturnType<typeof readApproval>>
): string => {
  if (state === "approved") return ""
  if (state === "rejected") {
    const comment = review?.comment === undefined || review.comment === "" ? "" : `: ${review.comment}`
    return `${review?.user?.login ?? "a reviewer"} rejected it for the environment ${environment}${comment}`
  }
  const names = reviewers.map(({ reviewer: { login, name } }) => login ?? name ?? "").filter((name) => name !== "")
  if (review === null && reviewers.length > 0) {
    return `the approval of the environment ${environment}${names.length === 0 ? "" : ` by ${names.join(" or ")}`}`
  }
  return waiting_until === null
    ? `the approval of the environment ${environment}`
    : `the wait timer of the environment ${environment}, until ${waiting_until}`
}

/** A repository in the format of GitHub, Gitea and Forgejo. */
export const RepositoryAnswer = Schema.Struct({
  id: Schema.Number,
  name: Schema.String,
  full_name: Schema.String,
  private: Schema.Boolean,
  html_url: Schema.String,
  clone_url: Schema.String,
  default_branch: Schema.optionalKey(Schema.NullOr(Schema.String)),
  empty: Schema.optionalKey(Schema.Boolean),
  owner: Schema.Struct({ login: Schema.String })
})

/** Converts a repository in a response of the forge's API. */
export const hostedRepositoryOf = (answer: typeof RepositoryAnswer.Type): HostedRepository => ({
  id: answer.id,
  owner: answer.owner.login,
  name: answer.name,
  fullName: answer.full_name,
  isPrivate: answer.private,
  htmlUrl: answer.html_url,
  cloneUrl: answer.clone_url,
  defaultBranch: answer.empty === true ? null : (answer.default_branch ?? null)
})

/** Parses the JSON response with a page of repositories. */
export const readRepositories = reading(Schema.Array(RepositoryAnswer))

/** Parses the JSON response with a page of branches. */
export const readBranches = reading(
  Schema.Array(
    Schema.Struct({
      name: Schema.String,
      commit: Schema.Struct({ id: Schema.String }),
      protected: Schema.optionalKey(Schema.Boolean)
    })
  )
)

/** Converts a branch in a response of the forge's API. */
export const hostedBranchOf = ({
  commit,
  name,
  protected: isProtected = false
}: Effect.Success<ReturnType<typeof readBranches>>[number]): HostedBranch => ({ name, commit: commit.id, isProtected })
