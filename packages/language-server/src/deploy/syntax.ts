import type { LineSyntax } from "../syntax.ts"

/** The lines of a scenario file of the deployment platform, by their first words. */
export const deploySyntax: Readonly<Record<string, LineSyntax>> = {
  user: { form: "user <name>", meaning: "Defines a user. A user is a member of the teams of its grants." },
  group: {
    form: "group <name> <user> …",
    meaning: "Defines a group of users. Its grants apply to all of its members."
  },
  team: { form: "team <name>", meaning: "Defines a team next to the root team, which is named `root`." },
  project: { form: "project <name> [in <team>]", meaning: "Defines a project of a team; by default of the root team." },
  server: { form: "server <name> [in <team>]", meaning: "Defines a server of a team; by default of the root team." },
  environment: {
    form: "environment <project>/<name> [protected]",
    meaning: "Defines an environment. A protected one needs a role on the environment itself for deployments."
  },
  application: { form: "application <project>/<environment>/<name>", meaning: "Defines an application." },
  database: { form: "database <project>/<environment>/<name>", meaning: "Defines a database." },
  service: { form: "service <project>/<environment>/<name>", meaning: "Defines a service." },
  role: { form: "role <name> <capability> …", meaning: "Defines a custom role with its capabilities." },
  grant: {
    form: "grant <user or group> <role> <place>",
    meaning: "Grants a role on a team, a project, an environment, an application, a database or a service."
  }
}
