import {
  actionButton,
  card,
  checkField,
  formSection,
  html,
  otherProblems,
  textField,
  typed
} from "@slipway/web/foundation"
import { page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { peopleFrame, tabQuestions } from "./peopleFrame.ts"

const capabilities = [
  "view",
  "operate",
  "edit",
  "secrets",
  "protection",
  "terminal",
  "infrastructure",
  "members",
  "ownership"
] as const

/**
 * `/roles`: the built-in roles and the custom roles of the viewer's team. The page creates and deletes custom roles.
 */
export const rolesPage = page({
  path: "/roles",
  operations: ["people.check", "people.createRole", "people.deleteRole", "people.listRoles"],
  load: async (visit) => {
    const [roles, may] = await Promise.all([
      visit.deploy.people.listRoles(),
      decisionsOn(visit, { ...tabQuestions, create: ["role.create"], delete: ["role.delete"] })
    ])
    return { roles, may }
  },
  view: ({ may, roles }, visit) => {
    const { forms, people: t, words } = visit.texts
    return {
      title: t.roles,
      frame: peopleFrame(visit, "roles", may),
      body: html`${otherProblems(visit, ["create"])}
${card(t.roles, html`<ul class="rows">${roles.map(({ capabilities: of, name, uuid }) => html`<li><div class="grow"><h3>${name}</h3><div class="small soft">${of.map((each) => t.capabilities[each]).join(" · ")}</div></div>${uuid === null ? html`<span class="badge">${t.builtIn}</span>` : may.delete && actionButton(visit, { do: "delete", role: uuid }, forms.remove, { about: name })}</li>`)}</ul><p class="body small soft">${t.rolesHint}</p>`)}
${
  may.create &&
  formSection(visit, {
    key: "create",
    title: t.createRole,
    fields: (own) => html`${textField(own, { name: "name", label: words.name, required: true })}
${capabilities.map((each) => checkField(own, { name: each, label: t.capabilities[each] }))}`,
    button: t.createRole
  })
}`
    }
  },
  submit: async (visit) => {
    const { form } = visit
    const { people } = visit.deploy
    try {
      if (typed(form, "do") === "delete") await people.deleteRole({ params: { role: typed(form, "role") } })
      else {
        const chosen = capabilities.filter((each) => typed(form, each) === "on")
        await people.createRole({ body: { name: typed(form, "name"), capabilities: chosen } })
      }
      return { to: "/roles" }
    } catch (error) {
      return rejectedForm(error, ["name"])
    }
  }
})
