import type { Account, AccountGroup } from "@slipway/client/deploy"
import { type Html, selectField, textField } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** The most accounts that a form offers. */
const mostAccounts = 100

/** Loads the accounts that a form can offer: none if the viewer may not list accounts. */
export const loadAccounts = async ({ deploy }: ConsoleVisit, mayList: boolean): Promise<ReadonlyArray<Account>> =>
  mayList ? await deploy.accounts.list({ query: { per_page: mostAccounts } }) : []

/** Returns the name of an account; its uuid if the viewer cannot see the name. */
export const nameOf = (accounts: ReadonlyArray<Account>, uuid: string): string =>
  accounts.find((each) => each.uuid === uuid)?.name ?? uuid

/** The prefix of values that are groups, in a form field for an account. */
export const groupPrefix = "group:"

/**
 * Returns the form field for an account: a list of names, or a text field for the uuid if the viewer may not list
 * accounts. The list also contains groups, with `groupPrefix` before their ids.
 */
export const accountField = (
  visit: ConsoleVisit,
  accounts: ReadonlyArray<Account>,
  groups: ReadonlyArray<AccountGroup> = []
): Html => {
  const { people: t } = visit.texts
  return accounts.length === 0
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
