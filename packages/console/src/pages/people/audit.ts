import { card, empty, html, linkButton, time } from "@slipway/web/foundation"
import { page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { loadAccounts, nameOf } from "./accounts.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

const rows = 50

/** `/audit`: the audit log of the viewer's team, newest entries first. */
export const auditPage = page({
  path: "/audit",
  operations: ["accounts.list", "people.audit", "people.check"],
  load: async (visit) => {
    const { query } = visit
    const before = query.get("before") ?? ""
    const records = await visit.deploy.people.audit({
      query: {
        limit: rows,
        ...(/^[0-9]{1,15}$/.test(before) ? { before } : {}),
        ...(query.get("outcome") === "denied" ? { outcome: "denied" as const } : {})
      }
    })
    const may = await decisionsOn(visit, { ...tabQuestions, accounts: ["account.list"] })
    return { records, may, accounts: await loadAccounts(visit, may.accounts) }
  },
  view: ({ accounts, may, records }, visit) => {
    const { people: t } = visit.texts
    const isDenied = visit.query.get("outcome") === "denied"
    const last = records.at(-1)
    const older = new URLSearchParams({ ...(isDenied ? { outcome: "denied" } : {}), before: String(last?.id ?? "") })
    return {
      title: t.audit,
      frame: peopleFrame(visit, "audit", may),
      body: html`<p>${isDenied ? linkButton("/audit", t.allRecords) : linkButton("/audit?outcome=denied", t.onlyDenied)}</p>
${card(t.audit, records.length === 0 ? empty(t.noRecords) : html`<ul class="rows">${records.map(({ account_uuid: account, action, at, detail, outcome }) => html`<li><span class="badge ${outcome === "done" ? "ok" : "bad"}">${t.outcomes[outcome]}</span><div class="grow"><h3><code>${action}</code></h3><div class="small soft">${account === null ? t.noAccount : nameOf(accounts, account)} · ${detail}</div></div><span class="small soft">${time(visit, at)}</span></li>`)}</ul>`)}
${records.length === rows && html`<p>${linkButton(`/audit?${older}`, t.older)}</p>`}`
    }
  }
})
