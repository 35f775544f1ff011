import { type Frame, html } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"

/** The tabs of the pages about people and access. */
export type PeopleTab = "teams" | "grants" | "tokens" | "audit"

/** Returns the heading and tabs of the pages about people and access. */
export const peopleFrame = ({ texts }: ConsoleVisit, tab: PeopleTab): Frame => {
  const { people: t } = texts
  return {
    heading: html`<h1>${t.title}</h1>`,
    label: t.tabs,
    tabs: [
      { key: "teams", label: t.teams, to: "/teams", icon: "people" },
      { key: "grants", label: t.grants, to: "/grants", icon: "person" },
      { key: "tokens", label: t.tokens, to: "/tokens", icon: "key" },
      { key: "audit", label: t.audit, to: "/audit", icon: "history" }
    ],
    tab
  }
}
