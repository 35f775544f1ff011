import { ServiceError } from "@slipway/client/deploy"
import {
  actionButton,
  card,
  checkField,
  formSection,
  type Html,
  html,
  NotFound,
  otherProblems,
  pathOf,
  type Submitted,
  selectField,
  textField,
  typed
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { secretField, typedOrNull, typedRemovable, typedSecret } from "../../page/secretFields.ts"
import { administrationFrame, administrationQuestions } from "./administrationFrame.ts"
import {
  type ChannelField,
  type ChannelName,
  channelNames,
  channels,
  eventNames,
  eventSetting,
  fieldsOf,
  threadSetting
} from "./channels.ts"
import { outcomeText } from "./storedPages.ts"

/** The settings of a channel, by the names of its fields. */
type Settings = Readonly<Record<string, unknown>>

/** The operations of one channel. */
interface ChannelOperations {
  readonly read: () => PromiseLike<Settings>
  readonly update: (body: Settings) => PromiseLike<unknown>
  readonly test: () => PromiseLike<{ readonly message: string }>
}

const operationsOf = ({ deploy }: ConsoleVisit): Readonly<Record<ChannelName, ChannelOperations>> => {
  const { notifications } = deploy
  // BOUNDARY: the fields of the form are the settings of the channel; the API checks their values.
  const via = <Body>(
    read: () => PromiseLike<object>,
    update: (input: { body: Body }) => PromiseLike<unknown>,
    test: () => PromiseLike<{ readonly message: string }>
  ): ChannelOperations => ({
    read: read as () => PromiseLike<Settings>,
    update: (body) => update({ body: body as Body }),
    test
  })
  const { readDiscord, readEmail, readPushover, readSlack, readTelegram, readWebhook } = notifications
  const { testDiscord, testEmail, testPushover, testSlack, testTelegram, testWebhook } = notifications
  const { updateDiscord, updateEmail, updatePushover, updateSlack, updateTelegram, updateWebhook } = notifications
  return {
    email: via(readEmail, updateEmail, testEmail),
    webhook: via(readWebhook, updateWebhook, testWebhook),
    discord: via(readDiscord, updateDiscord, testDiscord),
    slack: via(readSlack, updateSlack, testSlack),
    telegram: via(readTelegram, updateTelegram, testTelegram),
    pushover: via(readPushover, updatePushover, testPushover)
  }
}

const reading: ReadonlyArray<Operation> = [
  "notifications.readEmail",
  "notifications.readWebhook",
  "notifications.readDiscord",
  "notifications.readSlack",
  "notifications.readTelegram",
  "notifications.readPushover",
  "people.check"
]

const isEnabled = (channel: ChannelName, settings: Settings): boolean =>
  channels[channel].enabledBy.some((field) => settings[field] === true)

const stateBadge = ({ texts }: ConsoleVisit, on: boolean): Html =>
  html`<span class="badge ${on ? "ok" : ""}">${on ? texts.administration.on : texts.administration.off}</span>`

/** `/notifications`: the channels of the viewer's team, with the number of events that each reports. */
const notificationsPage = page({
  path: "/notifications",
  operations: reading,
  load: async (visit) => {
    const of = operationsOf(visit)
    const [may, ...settings] = await Promise.all([
      decisionsOn(visit, administrationQuestions),
      ...channelNames.map((channel) => of[channel].read())
    ])
    return { may, settings: channelNames.map((channel, at) => ({ channel, values: settings[at] ?? {} })) }
  },
  view: ({ may, settings }, visit) => {
    const { administration: t } = visit.texts
    return {
      title: t.notifications,
      frame: administrationFrame(visit, "notifications", may),
      body: card(
        t.notifications,
        html`<ul class="rows">${settings.map(({ channel, values }) => {
          const events = eventNames.filter((event) => values[eventSetting(event, channel)] === true)
          return html`<li>${stateBadge(visit, isEnabled(channel, values))}<div class="grow"><h3><a href="/notifications${pathOf(channel)}">${t.channels[channel]}</a></h3><div class="small soft">${t.eventCount(events.length)}</div></div></li>`
        })}</ul>`
      )
    }
  }
})

const isChannel = (name: string): name is ChannelName => Object.hasOwn(channels, name)

const channelIn = ({ params }: ConsoleVisit): ChannelName => {
  const { channel = "" } = params
  if (!isChannel(channel)) throw new NotFound()
  return channel
}

const textIn = (settings: Settings, name: string): string => {
  const value = settings[name]
  return value === null || value === undefined ? "" : String(value)
}

const encryptions = ["starttls", "tls", "none"] as const

const inputOf = (visit: ConsoleVisit, { name, type }: ChannelField, settings: Settings): Html => {
  const { administration: t, words } = visit.texts
  const label = t.settings[name as keyof typeof t.settings] ?? name
  const value = textIn(settings, name)
  switch (type) {
    case "flag":
      return checkField(visit, { name, label, checked: settings[name] === true })
    case "secret":
    case "removableSecret":
      return secretField(visit, {
        name,
        label,
        isStored: value !== "",
        isRemovable: type === "removableSecret",
        maxlength: 2_048
      })
    case "encryption": {
      const standard = { value: "", label: words.standard }
      return selectField(visit, {
        name,
        label,
        value,
        options: [standard, ...encryptions.map((each) => ({ value: each, label: each }))]
      })
    }
    default:
      return textField(visit, { name, label, value, type, maxlength: 1_000 })
  }
}

const eventFields = (visit: ConsoleVisit, channel: ChannelName, settings: Settings): Html => {
  const { administration: t } = visit.texts
  return html`<fieldset class="field group"><legend>${t.events}</legend>${eventNames.map((event) => {
    const name = eventSetting(event, channel)
    return checkField(visit, { name, label: t.eventNames[event], checked: settings[name] === true })
  })}</fieldset>
${
  channel === "telegram" &&
  html`<details><summary>${t.threads}</summary>${eventNames.map((event) => {
    const name = threadSetting(event)
    return textField(visit, { name, label: t.threadOf(t.eventNames[event]), value: textIn(settings, name) })
  })}</details>`
}`
}

const typedIn = (visit: ConsoleVisit, { name, type }: ChannelField): Settings => {
  if (type === "secret") return typedSecret(visit, name)
  if (type === "removableSecret") return typedRemovable(visit, name)
  if (type === "flag") return { [name]: typed(visit.form, name) === "on" }
  const text = typedOrNull(visit, name)
  return { [name]: type === "number" && text !== null ? Number(text) : text }
}

const tested = async (test: ChannelOperations["test"]): Promise<Submitted> => {
  try {
    return { outcome: (await test()).message }
  } catch (error) {
    // The message could not be sent: the reason is the result of the test.
    if (error instanceof ServiceError && error.status === 502) return { problems: { "": error.message } }
    return rejectedForm(error, [])
  }
}

/** `/notifications/{channel}`: the settings and events of a channel, and a test message. */
const channelPage = page({
  path: "/notifications/:channel",
  operations: [
    ...reading,
    "notifications.updateEmail",
    "notifications.updateWebhook",
    "notifications.updateDiscord",
    "notifications.updateSlack",
    "notifications.updateTelegram",
    "notifications.updatePushover",
    "notifications.testEmail",
    "notifications.testWebhook",
    "notifications.testDiscord",
    "notifications.testSlack",
    "notifications.testTelegram",
    "notifications.testPushover"
  ],
  load: async (visit) => {
    const channel = channelIn(visit)
    const [settings, may] = await Promise.all([
      operationsOf(visit)[channel].read(),
      decisionsOn(visit, {
        ...administrationQuestions,
        update: ["notification.update"],
        test: ["notification.test"]
      })
    ])
    return { channel, settings, may }
  },
  view: ({ channel, may, settings }, visit) => {
    const { administration: t, forms, words } = visit.texts
    const on = isEnabled(channel, settings)
    return {
      title: `${t.channels[channel]} · ${t.notifications}`,
      frame: administrationFrame(visit, "notifications", may),
      body: html`<div class="title"><h2>${t.channels[channel]}</h2>${stateBadge(visit, on)}${may.test && on && actionButton(visit, { do: "test" }, t.sendTest, { className: "button" })}</div>
${otherProblems(visit, ["save"])}${outcomeText(visit)}
${
  may.update &&
  formSection(visit, {
    key: "save",
    title: words.settings,
    fields: (own) =>
      html`${channels[channel].fields.map((field) => inputOf(own, field, settings))}${eventFields(own, channel, settings)}`,
    button: forms.save
  })
}`
    }
  },
  submit: async (visit) => {
    const channel = channelIn(visit)
    const { test, update } = operationsOf(visit)[channel]
    if (typed(visit.form, "do") === "test") return await tested(test)
    const fields = fieldsOf(channel)
    try {
      await update(Object.assign({}, ...fields.map((field) => typedIn(visit, field))))
      return { to: visit.url.pathname }
    } catch (error) {
      return rejectedForm(
        error,
        fields.map(({ name }) => name)
      )
    }
  }
})

/** The pages of notifications. */
export const notificationPages: ReadonlyArray<ConsolePage> = [notificationsPage, channelPage]
