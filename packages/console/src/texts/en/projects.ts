/** English texts of projects and environments. */
export const projects = {
  title: "Projects",
  create: "Create project",
  needsDeveloper: "Your account may not create projects. Ask an owner of the team for the role developer.",
  newTitle: "New project",
  environments: "Environments",
  addEnvironment: "Create environment",
  newEnvironment: "New environment",
  resources: "Resources",
  noResources: "This environment has no applications, databases or services.",
  newResource: "New resource",
  isProtected: "protected",
  protect: "Protect environment",
  unprotect: "Remove protection",
  protectHint:
    "In a protected environment, a role on the project or the team is not enough to deploy: such deployments wait for an approval.",
  deleteProject: "Delete project",
  deleteHint:
    "Only a project without resources can be deleted. Its environments and shared variables are deleted with it.",
  deleteEnvironment: "Delete environment",
  deleteEnvironmentHint: "Only an environment without resources can be deleted.",
  saved: "The project was saved."
}
