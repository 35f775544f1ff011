import type { AccountGroup, Team } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formSection,
  type Html,
  html,
  otherProblems,
  pathOf,
  selectField,
  textField,
  typed
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

/** Returns the path of the groups page of a team. */
export const groupsPath = (id: Team["id"]): string => pathOf("teams", String(id), "groups")

const memberName = ({ members }: Team, uuid: string): string =>
  members.find((each) => each.account_uuid === uuid)?.name ?? uuid

const groupCard = (visit: ConsoleVisit, team: Team, group: AccountGroup, mayChange: boolean): Html => {
  const { forms, people: t } = visit.texts
  const { members, name, uuid } = group
  const rows = members.map((account) => {
    const called = memberName(team, account)
    return html`<li><div class="grow">${called}</div>${mayChange && actionButton(visit, { do: "leave", group: uuid, account }, forms.remove, { about: `${called}, ${name}` })}</li>`
  })
  const list = members.length === 0 ? empty(t.noGroupMembers) : html`<ul class="rows">${rows}</ul>`
  const remove =
    mayChange &&
    html`<div class="body">${actionButton(visit, { do: "delete", group: uuid }, t.deleteGroup, { about: name })}</div>`
  return card(name, html`${list}${remove}`)
}

/** `/teams/{id}/groups`: the groups of a team with their members, and the forms that change them. */
const groupsPage = page({
  path: "/teams/:team/groups",
  operations: [
    "resources.team",
    "people.addGroupMember",
    "people.check",
    "people.createGroup",
    "people.deleteGroup",
    "people.listGroups",
    "people.removeGroupMember"
  ],
  load: async (visit) => {
    const params = { id: visit.params.team ?? "" }
    const team = await visit.deploy.resources.team({ params })
    const [may, groups] = await Promise.all([
      decisionsOn(visit, { ...tabQuestions, change: ["team.group.create", String(team.id)] }),
      visit.deploy.people.listGroups({ params })
    ])
    return { team, groups, may }
  },
  view: ({ groups, may, team }, visit) => {
    const { people: t, words } = visit.texts
    return {
      title: `${t.groups} · ${team.name}`,
      frame: peopleFrame(visit, "teams", may),
      body: html`<h2>${t.groups} · ${team.name}</h2>${otherProblems(visit, ["add", "create"])}
${groups.length === 0 ? card(t.groups, empty(t.noGroups)) : groups.map((each) => groupCard(visit, team, each, may.change))}
${
  may.change &&
  groups.length > 0 &&
  team.members.length > 0 &&
  formSection(visit, {
    key: "add",
    title: t.addGroupMember,
    fields: (
      own
    ) => html`${selectField(own, { name: "group", label: t.group, options: groups.map(({ name, uuid }) => ({ value: uuid, label: name })) })}
${selectField(own, { name: "account_uuid", label: t.account, options: team.members.map((each) => ({ value: each.account_uuid, label: each.name })) })}`,
    button: t.addGroupMember
  })
}${
  may.change &&
  formSection(visit, {
    key: "create",
    title: t.newGroup,
    hint: t.groupHint,
    fields: (own) => textField(own, { name: "name", label: words.name, required: true }),
    button: t.newGroup
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const params = { id: visit.params.team ?? "" }
    const inGroup = { ...params, group: typed(form, "group") }
    const { people } = visit.deploy
    try {
      switch (typed(form, "do")) {
        case "leave":
          await people.removeGroupMember({ params: { ...inGroup, account: typed(form, "account") } })
          break
        case "delete":
          await people.deleteGroup({ params: inGroup })
          break
        case "add":
          await people.addGroupMember({ params: inGroup, body: { account_uuid: typed(form, "account_uuid") } })
          break
        default:
          await people.createGroup({ params, body: { name: typed(form, "name") } })
      }
      return { to: visit.url.pathname }
    } catch (error) {
      return rejectedForm(error, ["account_uuid", "name"])
    }
  }
})

/** All console pages of groups of accounts. */
export const groupPages: ReadonlyArray<ConsolePage> = [groupsPage]
