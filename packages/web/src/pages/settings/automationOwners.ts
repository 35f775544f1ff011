import { requireAllowed } from "../../page/decisions.ts"
import type { Visit } from "../../page/Page.ts"
import { accountView } from "../account/frame.ts"
import { type AutomationOwner, runnersPage, secretsPage, variablesPage } from "../automation/ownedAutomation.ts"
import { namedIn } from "../code/revision.ts"
import { organizationOperations, orgIn } from "../organizations/organization.ts"
import {
  loadOrganizationSettings,
  type OrganizationSettings,
  organizationSettingsView
} from "../organizations/organizationSettingsFrame.ts"
import { loadSettings, settingsOperations, settingsView } from "./settings.ts"

const organization: AutomationOwner<OrganizationSettings, "organization"> = {
  operations: "organization",
  path: "/org/:org/settings/actions",
  uses: organizationOperations,
  load: loadOrganizationSettings,
  view: (visit, loaded, tab, body) => organizationSettingsView(visit, loaded, tab, body),
  hint: ({ texts: { ownerSettings: t } }, tab) =>
    ({ secrets: t.secretsHint, variables: t.variablesHint, runners: t.runnersHint })[tab]
}

const ofOrganization = (visit: Visit) => ({ calls: visit.forge.organization.actions, owner: orgIn(visit) })

const repository: AutomationOwner<Awaited<ReturnType<typeof loadSettings>>, "repository"> = {
  operations: "repository",
  path: "/:owner/:repo/settings/actions",
  uses: settingsOperations,
  load: loadSettings,
  view: (visit, loaded, tab, body) => settingsView(visit, loaded, tab, visit.texts.ownerSettings.tabs[tab], body),
  hint: ({ texts: { ownerSettings: t } }, tab) => t.ofRepository[tab]
}

const ofRepository = (visit: Visit) => ({ calls: visit.forge.repository.actions, owner: namedIn(visit) })

const account: AutomationOwner<void, "account"> = {
  operations: "account",
  path: "/user/settings/actions",
  uses: ["access.check"],
  load: (visit) => requireAllowed(visit, ["account.actions.variable.list", "site"]),
  view: (visit, _, tab, body) => accountView(visit, tab === "runners" ? "runners" : "variables", body),
  hint: ({ texts: { ownerSettings: t } }, tab) => (tab === "runners" ? t.ofUser.runners : t.ofUser.variables)
}

/** `/org/{org}/settings/actions/*`: the secrets, variables and runners of an organization. */
const organizationPages = [
  secretsPage({
    ...organization,
    secrets: (visit) => {
      const { calls, owner } = ofOrganization(visit)
      return {
        list: (listed) => calls.secret.list({ params: owner, ...listed }),
        set: (secretname, body) => calls.secret.set({ params: { ...owner, secretname }, body }).result(),
        delete: (secretname) => calls.secret.delete({ params: { ...owner, secretname } })
      }
    }
  }),
  variablesPage({
    ...organization,
    variables: (visit) => {
      const { calls, owner } = ofOrganization(visit)
      const named = (variablename: string) => ({ ...owner, variablename })
      return {
        list: (listed) => calls.variable.list({ params: owner, ...listed }),
        read: (name) => calls.variable.read({ params: named(name) }),
        create: (name, body) => calls.variable.create({ params: named(name), body }).result(),
        set: (name, body) => calls.variable.set({ params: named(name), body }).result(),
        delete: (name) => calls.variable.delete({ params: named(name) })
      }
    }
  }),
  runnersPage({
    ...organization,
    runners: (visit) => {
      const { calls, owner } = ofOrganization(visit)
      return {
        list: (listed) => calls.runner.list({ params: owner, ...listed }),
        register: () => calls.runner.registrationToken.create({ params: owner }),
        edit: (id, disabled) => calls.runner.edit({ params: { ...owner, runner_id: id }, body: { disabled } }),
        delete: (id) => calls.runner.delete({ params: { ...owner, runner_id: id } })
      }
    }
  })
]

/** `/{owner}/{repo}/settings/actions/*`: the secrets, variables and runners of a repository. */
const repositoryPages = [
  secretsPage({
    ...repository,
    secrets: (visit) => {
      const { calls, owner } = ofRepository(visit)
      return {
        list: (listed) => calls.secret.list({ params: owner, ...listed }),
        set: (secretname, body) => calls.secret.set({ params: { ...owner, secretname }, body }).result(),
        delete: (secretname) => calls.secret.delete({ params: { ...owner, secretname } })
      }
    }
  }),
  variablesPage({
    ...repository,
    variables: (visit) => {
      const { calls, owner } = ofRepository(visit)
      const named = (variablename: string) => ({ ...owner, variablename })
      return {
        list: (listed) => calls.variable.list({ params: owner, ...listed }),
        read: (name) => calls.variable.read({ params: named(name) }),
        create: (name, body) => calls.variable.create({ params: named(name), body }).result(),
        set: (name, body) => calls.variable.set({ params: named(name), body }).result(),
        delete: (name) => calls.variable.delete({ params: named(name) })
      }
    }
  }),
  runnersPage({
    ...repository,
    runners: (visit) => {
      const { calls, owner } = ofRepository(visit)
      return {
        list: (listed) => calls.runner.list({ params: owner, ...listed }),
        register: () => calls.runner.registrationToken.create({ params: owner }),
        edit: (id, disabled) => calls.runner.edit({ params: { ...owner, runner_id: id }, body: { disabled } }),
        delete: (id) => calls.runner.delete({ params: { ...owner, runner_id: id } })
      }
    }
  })
]

/**
 * `/user/settings/actions/*`: the variables and runners of the signed-in user. Secrets are missing because the API
 * cannot list secrets of users.
 */
const accountPages = [
  variablesPage({
    ...account,
    variables: ({
      forge: {
        account: { actions }
      }
    }) => ({
      list: (listed) => actions.variable.list(listed),
      read: (variablename) => actions.variable.read({ params: { variablename } }),
      create: (variablename, body) => actions.variable.create({ params: { variablename }, body }).result(),
      set: (variablename, body) => actions.variable.set({ params: { variablename }, body }).result(),
      delete: (variablename) => actions.variable.delete({ params: { variablename } })
    })
  }),
  runnersPage({
    ...account,
    runners: ({
      forge: {
        account: { actions }
      }
    }) => ({
      list: (listed) => actions.runner.list(listed),
      register: () => actions.runner.registrationToken.create(),
      edit: (id, disabled) => actions.runner.edit({ params: { runner_id: id }, body: { disabled } }),
      delete: (id) => actions.runner.delete({ params: { runner_id: id } })
    })
  })
]

/** The pages of secrets, variables and runners of organizations, repositories and the signed-in user. */
export const automationSettingsPages = [...organizationPages, ...repositoryPages, ...accountPages]
