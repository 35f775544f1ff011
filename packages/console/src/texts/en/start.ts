/** English texts of the dashboard. */
export const start = {
  title: "Dashboard",
  brand: "Slipway deploy",
  navigation: "Console",
  projects: "Projects",
  servers: "Servers",
  running: "Running deployments",
  noneRunning: "No deployment is running.",
  failures: "Applications that need attention",
  noFailures: "Nothing needs attention.",
  healthy: (running: number, all: number) => `${running} of ${all} running`,
  firstProject: "A project holds the applications and databases of one product. Create the first one.",
  firstServer: "Applications run on servers. The machine of the platform is one; add others over SSH.",
  checklist: "First steps",
  reachable: "The container engine of a server is reachable",
  unreachable: "No container engine is reachable: open the server and test the connection.",
  done: "done",
  open: "open",
  hasProxy: "A server has a proxy, which serves domains with HTTPS",
  hasDomain: "A server has a wildcard domain, from which applications get theirs (optional)",
  hasProject: "A project exists",
  hasApplication: "An application exists"
}
