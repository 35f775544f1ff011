/** Texts of databases and services. */
export const databases = {
  tabs: "Database",
  serviceTabs: "Service",
  backups: "Backups",
  create: "Create database",
  createService: "Create service",
  ofKind: "Database",
  kind: "Kind",
  ofTemplate: "One-click service",
  template: "Service"
}
