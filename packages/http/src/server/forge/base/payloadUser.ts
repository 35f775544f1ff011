import type { Ident } from "@slipway/domain/forge/code"
import type { CommitPeople } from "@slipway/forge/code"

/** Converts the author or committer of a commit to its API response; `username` is found by the email address. */
export const showPayloadUser = ({ email, name }: Pick<Ident, "email" | "name">, people: CommitPeople) => ({
  name,
  email,
  username: people({ email })?.name ?? ""
})
