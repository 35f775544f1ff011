import { type Frame, html } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import type { Question } from "../../page/decisions.ts"

/** The tabs of the pages of administration. */
export type AdministrationTab =
  | "keys"
  | "sources"
  | "registries"
  | "storages"
  | "variables"
  | "notifications"
  | "accounts"
  | "settings"

/** The checks of the tabs that not every member has. */
export const administrationQuestions = {
  seeNotifications: ["notification.read"],
  seeVariables: ["sharedVariable.list"],
  seeAccounts: ["account.list"],
  seeSettings: ["settings.read"]
} as const satisfies Readonly<Record<string, Question>>

/** Returns the heading and tabs of the pages of administration. */
export const administrationFrame = (
  { texts }: ConsoleVisit,
  tab: AdministrationTab,
  may: Readonly<Record<keyof typeof administrationQuestions, boolean>>
): Frame => {
  const { administration: t } = texts
  return {
    heading: html`<h1>${t.title}</h1>`,
    label: t.tabs,
    tabs: [
      { key: "keys", label: t.keys, to: "/keys", icon: "key" },
      { key: "sources", label: t.sources, to: "/sources", icon: "repo" },
      { key: "registries", label: t.registries, to: "/registries", icon: "package" },
      { key: "storages", label: t.storages, to: "/storages", icon: "archive" },
      { key: "variables", label: texts.variables.title, to: "/variables", icon: "code", shown: may.seeVariables },
      { key: "notifications", label: t.notifications, to: "/notifications", icon: "bell", shown: may.seeNotifications },
      { key: "accounts", label: texts.instance.accounts, to: "/accounts", icon: "person", shown: may.seeAccounts },
      { key: "settings", label: texts.instance.title, to: "/settings", icon: "gear", shown: may.seeSettings }
    ],
    tab
  }
}
