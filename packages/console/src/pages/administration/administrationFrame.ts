import { type Frame, html } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import type { Question } from "../../page/decisions.ts"

/** The tabs of the pages of administration. */
export type AdministrationTab = "keys" | "sources" | "registries" | "storages" | "notifications"

/** The checks of the tabs that not every member has. */
export const administrationQuestions = {
  seeNotifications: ["notification.read"]
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
      { key: "notifications", label: t.notifications, to: "/notifications", icon: "bell", shown: may.seeNotifications }
    ],
    tab
  }
}
