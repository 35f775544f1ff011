import type { Invitation, Role, Team } from "@slipway/client/deploy"
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
  time,
  typed
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { accountField, loadAccounts, nameOf } from "./accounts.ts"
import { groupsPath } from "./groups.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

const teamPath = (id: Team["id"]): string => pathOf("teams", String(id))

const roleLabel = (roles: ReadonlyArray<Role>, role: string): string =>
  roles.find(({ uuid }) => uuid === role)?.name ?? role

const ownInvitation = (visit: ConsoleVisit, { expires_at: end, role, team_id: team, uuid }: Invitation): Html => {
  const { people: t } = visit.texts
  const name = t.teamNumber(String(team))
  return html`<li><div class="grow"><h3>${name}</h3><div class="small soft">${role} · ${t.expires} ${time(visit, end)}</div></div>${actionButton(visit, { do: "accept", invitation: uuid }, t.accept, { className: "button primary", about: name })}</li>`
}

/** `/teams`: the teams of the viewer, and the viewer's open invitations. */
const teamsPage = page({
  path: "/teams",
  operations: [
    "resources.listTeams",
    "people.ownInvitations",
    "people.acceptInvitation",
    "people.createTeam",
    "people.check"
  ],
  load: async (visit) => {
    const { people, resources } = visit.deploy
    const [teams, invitations, may] = await Promise.all([
      resources.listTeams(),
      people.ownInvitations(),
      decisionsOn(visit, { ...tabQuestions, create: ["team.create"] })
    ])
    return { teams, invitations, may }
  },
  view: ({ invitations, may, teams }, visit) => {
    const { people: t, words } = visit.texts
    return {
      title: t.teams,
      frame: peopleFrame(visit, "teams", may),
      body: html`${otherProblems(visit, ["create"])}
${invitations.length > 0 && card(t.ownInvitations, html`<ul class="rows">${invitations.map((each) => ownInvitation(visit, each))}</ul>`)}
${card(t.teams, teams.length === 0 ? empty(t.noTeams) : html`<ul class="rows">${teams.map(({ description, id, name }) => html`<li><div class="grow"><h3><a href="${teamPath(id)}">${name}</a></h3><div class="small soft">${description}</div></div></li>`)}</ul>`)}
${
  may.create &&
  formSection(visit, {
    key: "create",
    title: t.newTeam,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true })}
${textField(own, { name: "description", label: words.description })}`,
    button: t.createTeam
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { people } = visit.deploy
    try {
      if (typed(form, "do") === "accept") {
        const { team_id: team } = await people.acceptInvitation({
          params: { invitation: typed(form, "invitation") }
        })
        return { to: teamPath(team) }
      }
      const { id } = await people.createTeam({
        body: { name: typed(form, "name"), description: typed(form, "description") }
      })
      return { to: teamPath(id) }
    } catch (error) {
      return rejectedForm(error, ["name", "description"])
    }
  }
})

const membersCard = (visit: ConsoleVisit, { mayRemove, team }: { mayRemove: boolean; team: Team }): Html => {
  const { forms, people: t } = visit.texts
  return card(
    t.members,
    team.members.length === 0
      ? empty(t.noMembers)
      : html`<ul class="rows">${team.members.map(({ account_uuid: uuid, email, name }) => html`<li><div class="grow"><h3>${name}</h3><div class="small soft">${email}</div></div>${mayRemove && actionButton(visit, { do: "remove", account: uuid }, forms.remove, { about: name })}</li>`)}</ul>`
  )
}

/** `/teams/{id}`: the members of a team, its open invitations, and a form to invite accounts. */
const teamPage = page({
  path: "/teams/:team",
  operations: [
    "resources.team",
    "accounts.list",
    "people.check",
    "people.listInvitations",
    "people.listRoles",
    "people.invite",
    "people.deleteInvitation",
    "people.removeMember"
  ],
  load: async (visit) => {
    const params = { id: visit.params.team ?? "" }
    const team = await visit.deploy.resources.team({ params })
    const about = String(team.id)
    const may = await decisionsOn(visit, {
      ...tabQuestions,
      invite: ["invitation.create", about],
      invitations: ["invitation.list", about],
      remove: ["team.member.remove", about],
      roles: ["role.list"],
      accounts: ["account.list"]
    })
    const { people } = visit.deploy
    const [invitations, roles, accounts] = await Promise.all([
      may.invitations ? people.listInvitations({ params }) : [],
      may.roles ? people.listRoles() : [],
      loadAccounts(visit, may.accounts)
    ])
    return { team, may, invitations, roles, accounts }
  },
  view: ({ accounts, invitations, may, roles, team }, visit) => {
    const { forms, people: t } = visit.texts
    return {
      title: team.name,
      frame: peopleFrame(visit, "teams", may),
      body: html`<div class="title"><h2>${team.name}</h2><a class="button" href="${groupsPath(team.id)}">${t.groups}</a></div>${otherProblems(visit, ["invite"])}
${membersCard(visit, { mayRemove: may.remove, team })}
${may.invitations && card(t.invitations, invitations.length === 0 ? empty(t.noInvitations) : html`<ul class="rows">${invitations.map(({ account_uuid: account, expires_at: end, role, uuid }) => html`<li><div class="grow"><h3>${nameOf(accounts, account)}</h3><div class="small soft">${roleLabel(roles, role)} · ${t.expires} ${time(visit, end)}</div></div>${actionButton(visit, { do: "withdraw", invitation: uuid }, forms.remove, { about: nameOf(accounts, account) })}</li>`)}</ul>`)}
${
  may.invite &&
  formSection(visit, {
    key: "invite",
    title: t.inviteMember,
    hint: t.inviteHint,
    fields: (own) => html`${accountField(own, accounts)}
${selectField(own, { name: "role", label: t.role, options: roles.map(({ name }) => ({ value: name, label: name })) })}`,
    button: t.inviteMember
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const id = visit.params.team ?? ""
    const { people } = visit.deploy
    try {
      switch (typed(form, "do")) {
        case "remove":
          await people.removeMember({ params: { id, account: typed(form, "account") } })
          break
        case "withdraw":
          await people.deleteInvitation({ params: { invitation: typed(form, "invitation") } })
          break
        default:
          await people.invite({
            params: { id },
            body: { account_uuid: typed(form, "account_uuid"), place_type: "team", role: typed(form, "role") }
          })
      }
      return { to: visit.url.pathname }
    } catch (error) {
      return rejectedForm(error, ["account_uuid", "role"])
    }
  }
})

/** All console pages of teams. */
export const teamPages: ReadonlyArray<ConsolePage> = [teamsPage, teamPage]
