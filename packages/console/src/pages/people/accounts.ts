import type { Account, AccountGroup } from "@slipway/client/deploy"
import { type Html, selectField, textField } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** Maximum number of accounts that a form lists. */
const mostAccounts = 100

/** An account as an option of a form field. */
export type NamedAccount = Pick<Account, "name" | "uuid">

/** Loads the accounts that a form lists; none if the viewer may not list accounts. */
export const loadAccounts = async ({ deploy }: ConsoleVisit, mayList: boolean): Promise<ReadonlyArray<Account>> =>
  mayList ? await deploy.accounts.list({ query: { per_page: mostAccounts } }) : []

/**
 * Loads the accounts that a form about the viewer's team lists: all accounts, or only the team's members if the viewer
 * may not list accounts.
 */
export const loadTeamAccounts = async (visit: ConsoleVisit, mayList: boolean): Promise<ReadonlyArray<NamedAccount>> => {
  if (mayList) return await loadAccounts(visit, true)
  const members = await visit.deploy.resources.members({ params: { id: "current" } })
  return members.map(({ account_uuid: uuid, name }) => ({ name, uuid }))
}

/** Returns the name of an account; its uuid if the viewer cannot see the name. */
export const nameOf = (accounts: ReadonlyArray<NamedAccount>, uuid: string): string =>
  accounts.find((each) => each.uuid === uuid)?.name ?? uuid

/** The prefix of option values that are groups, in a form field for an account. */
export const groupPrefix = "group:"

/**
 * Shows the field for an account: a list of accounts and groups, or a text field for a uuid if both lists are empty.
 *
 * The value of a group is its uuid with the prefix `groupPrefix`.
 */
export const accountField = (
  visit: ConsoleVisit,
  accounts: ReadonlyArray<NamedAccount>,
  groups: ReadonlyArray<AccountGroup> = []
): Html => {
  const { people: t } = visit.texts
  return accounts.length + groups.length === 0
    ? textField(visit, { name: "account_uuid", label: t.account, hint: t.accountHint, required: true })
    : selectField(visit, {
        name: "account_uuid",
        label: t.account,
        options: [
          ...accounts.map(({ name, uuid }) => ({ value: uuid, label: name })),
          ...groups.map(({ name, uuid }) => ({ value: `${groupPrefix}${uuid}`, label: `${t.group}: ${name}` }))
        ]
      })
}
