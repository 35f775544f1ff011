import { type Frame, html } from "@slipway/web/foundation"
import type { ConsoleVisit } from "../../page/ConsolePage.ts"
import type { Question } from "../../page/decisions.ts"

/** The tabs of the pages about people and access. */
export type PeopleTab = "teams" | "roles" | "grants" | "tokens" | "audit"

/** The access checks that decide whether the viewer sees a tab; tabs without a check are always visible. */
export const tabQuestions = {
  seeRoles: ["role.list"],
  seeGrants: ["grant.list"],
  seeAudit: ["team.audit"]
} as const satisfies Readonly<Record<string, Question>>

/** Returns the heading and tabs of the pages about people and access. */
export const peopleFrame = (
  { texts }: ConsoleVisit,
  tab: PeopleTab,
  may: Readonly<Record<keyof typeof tabQuestions, boolean>>
): Frame => {
  const { people: t } = texts
  return {
    heading: html`<h1>${t.title}</h1>`,
    label: t.tabs,
    tabs: [
      { key: "teams", label: t.teams, to: "/teams", icon: "people" },
      { key: "roles", label: t.roles, to: "/roles", icon: "gear", shown: may.seeRoles },
      { key: "grants", label: t.grants, to: "/grants", icon: "person", shown: may.seeGrants },
      { key: "tokens", label: t.tokens, to: "/tokens", icon: "key" },
      { key: "audit", label: t.audit, to: "/audit", icon: "history", shown: may.seeAudit }
    ],
    tab
  }
}
