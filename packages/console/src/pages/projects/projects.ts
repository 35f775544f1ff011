import type { Project } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  empty,
  formSection,
  formTo,
  html,
  linkButton,
  nothing,
  otherProblems,
  pageNumber,
  pagination,
  problemSummary,
  rowsPerPage,
  textField,
  typed
} from "@slipway/web/foundation"
import { environmentPath, projectPath, resourcePath } from "../../layout/links.ts"
import { domainLinks, statusBadge } from "../../layout/states.ts"
import { type ConsolePage, type ConsoleVisit, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { newResourcePages } from "./new-resource/newResource.ts"

const nameFields = (visit: ConsoleVisit, { description, name }: Partial<Project> = {}) =>
  html`${textField(visit, { name: "name", label: visit.texts.words.name, required: true, ...(name === undefined ? {} : { value: name }) })}
${textField(visit, { name: "description", label: visit.texts.words.description, ...(description === undefined ? {} : { value: description }) })}`

const namesIn = ({ form }: ConsoleVisit) => ({
  name: typed(form, "name"),
  description: typed(form, "description")
})

/** `/projects`: all projects that the viewer can access. */
const projectsPage = page({
  path: "/projects",
  operations: ["projects.list", "people.check"],
  load: async (visit) => {
    const [projects, may] = await Promise.all([
      visit.deploy.projects.list({ query: { page: pageNumber(visit), per_page: rowsPerPage } }),
      decisionsOn(visit, { create: ["project.create"] })
    ])
    return { projects, may }
  },
  view: ({ may, projects }, visit) => {
    const t = visit.texts.projects
    return {
      title: t.title,
      body: html`<div class="title"><h1>${t.title}</h1>${may.create && linkButton("/projects/new", t.newTitle, "plus", "primary push")}</div>
${card(t.title, projects.length === 0 ? empty(visit.texts.start.firstProject) : html`<ul class="rows">${projects.map(({ description, name, uuid }) => html`<li><div class="grow"><h3><a href="${projectPath(uuid)}">${name}</a></h3><div class="small soft">${description}</div></div></li>`)}</ul>`)}${pagination(visit, projects.length === rowsPerPage)}`
    }
  }
})

/** `/projects/new`: creates a project. */
const newProjectPage = page({
  path: "/projects/new",
  operations: ["projects.create", "people.check"],
  load: async (visit) => decisionsOn(visit, { create: ["project.create"] }),
  view: (may, visit) => {
    const t = visit.texts.projects
    return {
      title: t.newTitle,
      body: html`<div class="narrow"><div class="title"><h1>${t.newTitle}</h1></div>${problemSummary(visit)}${may.create ? formTo(visit, "/projects/new", html`${nameFields(visit)}<p><button class="button primary">${t.create}</button></p>`) : html`<p class="alert warn" role="status">${t.needsDeveloper}</p>`}</div>`
    }
  },
  submit: async (visit) => {
    try {
      const { uuid } = await visit.deploy.projects.create({ body: namesIn(visit) })
      return { to: projectPath(uuid) }
    } catch (error) {
      return rejectedForm(error, ["name", "description"])
    }
  }
})

const uuidIn = ({ params }: ConsoleVisit) => ({ uuid: params.project ?? "" })

/** `/projects/{uuid}`: the environments of a project, and its settings. */
const projectPage = page({
  path: "/projects/:project",
  operations: [
    "people.check",
    "projects.get",
    "projects.update",
    "projects.delete",
    "projects.createEnvironment",
    "resources.list"
  ],
  load: async (visit) => {
    const [project, resources] = await Promise.all([
      visit.deploy.projects.get({ params: uuidIn(visit) }),
      visit.deploy.resources.list()
    ])
    const may = await decisionsOn(visit, {
      addEnvironment: ["environment.create", project.uuid],
      update: ["project.update", project.uuid],
      delete: ["project.delete", project.uuid],
      seeVariables: ["sharedVariable.list", project.uuid],
      seeGrants: ["grant.list"]
    })
    return { project, may, resources: resources.filter(({ project_uuid: of }) => of === project.uuid) }
  },
  view: ({ may, project, resources }, visit) => {
    const { projects: t, words } = visit.texts
    return {
      title: project.name,
      body: html`<div class="title"><nav class="small" aria-label="${visit.texts.layout.breadcrumb}"><a href="/projects">${t.title}</a> /</nav><h1>${project.name}</h1><span class="soft">${project.description}</span></div>
${otherProblems(visit, ["environment", "save", "delete"])}
${card(
  t.environments,
  html`<ul class="rows">${project.environments.map((environment) => {
    const own = resources.filter(({ environment_uuid: of }) => of === environment.uuid)
    return html`<li><div class="grow"><h3><a href="${environmentPath(project.uuid, environment.name)}">${environment.name}</a></h3><div class="small soft">${environment.description}</div></div>${own.map(({ status, ...each }) => html`<a class="small" href="${resourcePath(each)}">${each.name ?? each.uuid}</a> ${statusBadge(status)}`)}</li>`
  })}</ul>`
)}
<p class="row">${may.seeVariables && linkButton(projectPath(project.uuid, "variables"), visit.texts.variables.title, "code")}${may.seeGrants && linkButton(`/grants?place=project:${project.uuid}`, visit.texts.people.membersAndRoles, "people")}</p>
${may.addEnvironment && formSection(visit, { key: "environment", title: t.newEnvironment, fields: (own) => nameFields(own), button: t.addEnvironment })}
${may.update && formSection(visit, { key: "save", title: words.settings, fields: (own) => nameFields(own, project), button: visit.texts.forms.save })}
${may.delete && deletionSection(visit, { name: project.name, hint: t.deleteHint, button: t.deleteProject })}`
    }
  },
  submit: async (visit) => {
    const params = uuidIn(visit)
    const { projects } = visit.deploy
    try {
      switch (typed(visit.form, "do")) {
        case "environment": {
          await projects.createEnvironment({ params, body: namesIn(visit) })
          return { to: environmentPath(params.uuid, typed(visit.form, "name")) }
        }
        case "delete": {
          const { name } = await projects.get({ params })
          const problem = deletionProblem(visit, name)
          if (problem !== undefined) return problem
          await projects.delete({ params })
          return { to: "/projects" }
        }
        default: {
          await projects.update({ params, body: namesIn(visit) })
          return { to: projectPath(params.uuid) }
        }
      }
    } catch (error) {
      return rejectedForm(error, ["name", "description", "confirm"])
    }
  }
})

const environmentIn = ({ params }: ConsoleVisit) => ({
  uuid: params.project ?? "",
  environment: params.environment ?? ""
})

/** `/projects/{uuid}/environments/{name}`: the resources of an environment. */
const environmentPage = page({
  path: "/projects/:project/environments/:environment",
  operations: [
    "people.check",
    "projects.get",
    "projects.getEnvironment",
    "projects.updateEnvironment",
    "projects.deleteEnvironment",
    "resources.list"
  ],
  load: async (visit) => {
    const [environment, resources] = await Promise.all([
      visit.deploy.projects.getEnvironment({ params: environmentIn(visit) }),
      visit.deploy.resources.list()
    ])
    const { project_uuid: uuid } = environment
    const may = await decisionsOn(visit, {
      create: ["resource.create", environment.uuid],
      delete: ["environment.delete", environment.uuid],
      seeProject: ["project.read", uuid],
      protect: ["environment.protect", environment.uuid],
      seeVariables: ["sharedVariable.list", environment.uuid],
      seeDeployers: ["environment.deployer.list", environment.uuid]
    })
    const own = resources.filter(({ environment_uuid: of }) => of === environment.uuid)
    // A role on the environment does not include the project.
    const project = may.seeProject ? await visit.deploy.projects.get({ params: { uuid } }) : undefined
    return { project, environment, may, resources: own }
  },
  view: ({ environment, may, project, resources }, visit) => {
    const { projects: t } = visit.texts
    const here = environmentPath(environment.project_uuid, environment.name)
    const above = project === undefined ? nothing : html`<a href="${projectPath(project.uuid)}">${project.name}</a> /`
    const add = may.create && linkButton(`${here}/new`, t.newResource, "plus", "primary push")
    return {
      title: project === undefined ? environment.name : `${environment.name} · ${project.name}`,
      body: html`<div class="title"><nav class="small" aria-label="${visit.texts.layout.breadcrumb}"><a href="/projects">${t.title}</a> / ${above}</nav><h1>${environment.name}</h1>${environment.is_protected && html`<span class="badge info">${t.isProtected}</span>`}${add}</div>
${problemSummary(visit)}
${card(
  t.resources,
  resources.length === 0
    ? empty(t.noResources, may.create ? linkButton(`${here}/new`, t.newResource) : nothing)
    : html`<ul class="rows">${resources.map((each) => html`<li>${statusBadge(each.status)}<div class="grow"><h3><a href="${resourcePath(each)}">${each.name ?? each.uuid}</a></h3><div class="small">${domainLinks(each.fqdn)}</div></div><span class="small soft">${each.type.replace("standalone-", "")}</span></li>`)}</ul>`
)}
${may.protect && html`<div class="title">${actionButton(visit, { do: environment.is_protected ? "unprotect" : "protect" }, environment.is_protected ? t.unprotect : t.protect)}<span class="small soft">${t.protectHint}</span></div>`}
<p class="row">${may.seeVariables && linkButton(`${here}/variables`, visit.texts.variables.title, "code")}${may.seeDeployers && linkButton(`${here}/deployers`, visit.texts.people.deployers, "people")}</p>
${may.delete && resources.length === 0 && deletionSection(visit, { name: environment.name, hint: t.deleteEnvironmentHint, button: t.deleteEnvironment })}`
    }
  },
  submit: async (visit) => {
    const params = environmentIn(visit)
    const does = typed(visit.form, "do")
    try {
      if (does === "protect" || does === "unprotect") {
        await visit.deploy.projects.updateEnvironment({ params, body: { is_protected: does === "protect" } })
        return { to: environmentPath(params.uuid, params.environment) }
      }
      const { name } = await visit.deploy.projects.getEnvironment({ params })
      const problem = deletionProblem(visit, name)
      if (problem !== undefined) return problem
      await visit.deploy.projects.deleteEnvironment({ params })
      return { to: projectPath(params.uuid) }
    } catch (error) {
      return rejectedForm(error, ["confirm"])
    }
  }
})

/** All console pages of projects and environments. */
export const projectPages: ReadonlyArray<ConsolePage> = [
  projectsPage,
  newProjectPage,
  projectPage,
  environmentPage,
  ...newResourcePages
]
