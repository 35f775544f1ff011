import type { Account, AccountGroup } from "@slipway/client/deploy"
import { type Html, selectField, textField } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** The most accounts that a form offers. */
const mostAccounts = 100

/** An account as a choice of a form. */
export type NamedAccount = Pick<Account, "name" | "uuid">

/** Loads the accounts that a form can offer: none if the viewer may not list accounts. */
export const loadAccounts = async ({ deploy }: ConsoleVisit, mayList: boolean): Promise<ReadonlyArray<Account>> =>
  mayList ? await deploy.accounts.list({ query: { per_page: mostAccounts } }) : []

/** Loads the accounts that a form of the viewer's team can offer: its members if the viewer may not list accounts. */
export const loadTeamAccounts = async (visit: ConsoleVisit, mayList: boolean): Promise<ReadonlyArray<NamedAccount>> => {
  if (mayList) return await loadAccounts(visit, true)
  const members = await visit.deploy.resources.members({ params: { id: "current" } })
  return members.map(({ account_uuid: uuid, name }) => ({ name, uuid }))
}

/** Returns the name of an account; its uuid if the viewer cannot see the name. */
export const nameOf = (accounts: ReadonlyArray<NamedAccount>, uuid: string): string =>
  accounts.find((each) => each.uuid === uuid)?.name ?? uuid

/** The prefix of values that are groups, in a form field for an account. */
export const groupPrefix = "group:"

/**
 * The field of an account: a choice of names, or a uuid if there are no names to offer. Groups are choices with a
 * accounts. The list also contains groups, with `groupPrefix` before their ids.
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
