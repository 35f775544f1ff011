/** Texts of the destinations of applications. */
export const destinations = {
  title: "Destinations",
  own: "Own destination",
  copy: "Additional destination: logs and state",
  hint: "Each deployment builds the image once. After it has finished, the same release is deployed at each additional destination. Each server has separate volumes.",
  add: "Add destination",
  addHint:
    "The next deployment of the application also runs it on this server, with the same domains. A built image needs a registry in the settings.",
  remove: "Remove destination"
}
