/** English texts of projects and environments. */
export const projects = {
  title: "Projects",
  create: "Create project",
  newTitle: "New project",
  environments: "Environments",
  addEnvironment: "Create environment",
  newEnvironment: "New environment",
  resources: "Resources",
  noResources: "This environment has no applications, databases or services.",
  newResource: "New resource",
  deleteProject: "Delete project",
  deleteHint:
    "Only a project without resources can be deleted. Its environments and shared variables are deleted with it.",
  deleteEnvironment: "Delete environment",
  deleteEnvironmentHint: "Only an environment without resources can be deleted.",
  saved: "The project was saved."
}
