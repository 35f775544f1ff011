import type { Ident } from "@slipway/domain/forge/code"
import type { CommitPeople } from "@slipway/forge/code"

/** Shows the author or committer of a commit, with the name of the user behind the address. */
export const showPayloadUser = ({ email, name }: Pick<Ident, "email" | "name">, people: CommitPeople) => ({
  name,
  email,
  username: people({ email })?.name ?? ""
})
