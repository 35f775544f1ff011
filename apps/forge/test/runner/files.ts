/** The action `actions/checkout` of the test's forge: clones the repository of the job into its workspace. */
const checkout = `
name: checkout
description: Clones the repository of the job
runs:
  using: composite
  steps:
    - shell: bash
      run: |
        git init -q .
        git fetch -q "\${GITHUB_SERVER_URL/:\\/\\//://job:\${{ github.token }}@}/$GITHUB_REPOSITORY" "$GITHUB_SHA"
        git checkout -q FETCH_HEAD
`

/** The action `actions/artifact` of the test's forge: stores or reads one file of the run as an artifact. */
const artifact = `
name: artifact
description: Stores or reads an artifact
inputs:
  mode: { required: true }
  name: { required: true }
  path: { required: true }
runs:
  using: composite
  steps:
    - shell: bash
      env:
        MODE: \${{ inputs.mode }}
        NAME: \${{ inputs.name }}
        FILE: \${{ inputs.path }}
      run: node "$GITHUB_ACTION_PATH/artifact.mjs"
`

const artifactProgram = `
import { readFileSync, writeFileSync } from "node:fs"
const { ACTIONS_RESULTS_URL: base, ACTIONS_RUNTIME_TOKEN: token, FILE: file, MODE: mode, NAME: name } = process.env
const { scp } = JSON.parse(Buffer.from(token.split(".")[1], "base64url"))
const [, run, job] = /Actions\\.Results:(\\d+):(\\d+)/.exec(scp)
const ids = { workflow_run_backend_id: run, workflow_job_run_backend_id: job, name }
const call = async (method, body) => {
  const address = new URL("/twirp/github.actions.results.api.v1.ArtifactService/" + method, base)
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" }
  const response = await fetch(address, { method: "POST", headers, body: JSON.stringify({ ...ids, ...body }) })
  if (!response.ok) throw new Error(method + ": " + response.status + " " + (await response.text()))
  return response.json()
}
if (mode === "upload") {
  const content = readFileSync(file)
  const { signed_upload_url: address } = await call("CreateArtifact", { version: 4 })
  const stored = await fetch(address, { method: "PUT", body: content })
  if (stored.status !== 201) throw new Error("upload: " + stored.status)
  await call("FinalizeArtifact", { size: String(content.length) })
} else {
  const { signed_url: address } = await call("GetSignedArtifactURL", {})
  writeFileSync(file, Buffer.from(await (await fetch(address)).arrayBuffer()))
}
`

/** The files of the actions that workflows name without an address, by repository. */
export const actions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  checkout: { "action.yml": checkout },
  artifact: { "action.yml": artifact, "artifact.mjs": artifactProgram }
}

const greet = `
name: greet
inputs:
  who: { default: nobody }
outputs:
  greeting: { value: '\${{ steps.say.outputs.greeting }}' }
runs:
  using: composite
  steps:
    - id: say
      shell: bash
      run: echo "greeting=hello \${{ inputs.who }}" >> "$GITHUB_OUTPUT"
`

const workflows = {
  "tags.yml": `
name: tags
on: { push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } }
jobs:
  release:
    runs-on: host
    steps: [{ run: 'echo "released $GITHUB_REF_NAME as $GITHUB_REF_TYPE"' }]
`,
  "paths.yml": `
name: paths
on: { push: { branches: ['release/**', '!release/old/**'], paths: ['src/*.jsx?'] } }
jobs:
  lint:
    runs-on: host
    steps: [{ run: 'echo "linted \${{ github.ref_name }}"' }]
`,
  "inputs.yml": `
name: inputs
on:
  workflow_dispatch:
    inputs:
      flag: { type: boolean, default: false }
      count: { type: number, default: 1 }
      level: { type: choice, options: [low, high], default: low }
      text: { type: string, required: true }
jobs:
  show:
    runs-on: host
    steps:
      - run: echo "count \${{ inputs.count }} level \${{ inputs.level }} text \${{ github.event.inputs.text }}"
      - if: inputs.flag
        run: echo "flag is on"
      - if: github.event.inputs.flag == 'true'
        run: echo "event flag is on"
      - if: \${{ !inputs.flag }}
        run: echo "flag is off"
`,
  "schedule.yml": `
name: schedule
on: { schedule: [{ cron: '* * * * *' }] }
jobs:
  tick:
    runs-on: host
    steps: [{ run: 'echo "event $GITHUB_EVENT_NAME of \${{ github.event.schedule }}"' }]
`,
  "matrix.yml": `
name: matrix
on: { workflow_dispatch: {} }
jobs:
  plan:
    runs-on: host
    outputs: { version: '\${{ steps.read.outputs.version }}', sizes: '\${{ steps.read.outputs.sizes }}' }
    steps:
      - id: read
        run: |
          echo "version=1.2" >> "$GITHUB_OUTPUT"
          echo 'sizes=["small","large"]' >> "$GITHUB_OUTPUT"
  fixed:
    needs: plan
    runs-on: host
    strategy:
      matrix:
        system: [linux, bsd]
        node: [24, 26]
        exclude: [{ system: bsd, node: 24 }]
        include: [{ system: plan9, node: 26 }]
    steps: [{ run: 'echo "fixed \${{ matrix.system }} \${{ matrix.node }} \${{ needs.plan.outputs.version }}"' }]
  computed:
    needs: plan
    runs-on: host
    strategy: { matrix: { size: '\${{ fromJSON(needs.plan.outputs.sizes) }}' } }
    steps: [{ run: 'echo "computed \${{ matrix.size }}"' }]
  report:
    needs: [fixed, computed]
    if: always()
    runs-on: host
    steps: [{ run: 'echo "report \${{ needs.fixed.result }} \${{ needs.computed.result }}"' }]
`,
  "artifacts.yml": `
name: artifacts
on: { workflow_dispatch: {} }
jobs:
  make:
    runs-on: host
    steps:
      - run: echo "built by $GITHUB_JOB" > result.txt
      - uses: actions/artifact@v1
        with: { mode: upload, name: result.txt, path: result.txt }
  use:
    needs: make
    runs-on: host
    steps:
      - uses: actions/artifact@v1
        with: { mode: download, name: result.txt, path: copy.txt }
      - run: cat copy.txt
`,
  "local.yml": `
name: local
on: { workflow_dispatch: {} }
jobs:
  greet:
    runs-on: host
    steps:
      - uses: actions/checkout@v1
      - id: greet
        uses: ./.github/actions/greet
        with: { who: '\${{ github.actor }}' }
      - run: echo "\${{ steps.greet.outputs.greeting }}"
`,
  "concurrency.yml": `
name: concurrency
on: { workflow_dispatch: { inputs: { seconds: { type: number, default: 0 } } } }
concurrency: { group: deploys, cancel-in-progress: true }
jobs:
  deploy:
    runs-on: host
    steps:
      - run: sleep \${{ inputs.seconds }}
      - run: echo "deployed"
`,
  "secrets.yml": `
name: secrets
on: { workflow_dispatch: {} }
env: { LEVEL: workflow, SITE: '\${{ vars.SITE }}' }
jobs:
  show:
    runs-on: host
    env: { LEVEL: job }
    steps:
      - env: { KEY: '\${{ secrets.DEPLOY_KEY }}' }
        run: echo "key $KEY of \${#KEY} characters, level $LEVEL, site $SITE"
      - env: { LEVEL: step }
        run: echo "level $LEVEL, missing '\${{ secrets.MISSING }}'"
`,
  "conditions.yml": `
name: conditions
on: { workflow_dispatch: {} }
jobs:
  fails:
    runs-on: host
    steps:
      - id: tolerated
        continue-on-error: true
        run: exit 3
      - if: steps.tolerated.outcome == 'failure' && steps.tolerated.conclusion == 'success'
        run: echo "tolerated"
      - run: exit 4
      - run: echo "unreachable"
      - if: failure()
        run: echo "failed"
      - if: always()
        run: echo "always on \${{ github.ref == 'refs/heads/main' }}"
  skipped:
    needs: fails
    runs-on: host
    steps: [{ run: echo unreachable }]
  rescues:
    needs: fails
    if: failure()
    runs-on: host
    steps: [{ run: 'echo "rescued \${{ needs.fails.result }}"' }]
  called:
    uses: ./.github/workflows/called.yml
    with: { who: caller }
`,
  "called.yml": `
name: called
on: { workflow_call: { inputs: { who: { type: string } } } }
jobs:
  inner:
    runs-on: host
    steps: [{ run: 'echo "called by \${{ inputs.who }}"' }]
`
}

/** The files of the repository that the runner works for. */
export const site: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(workflows).map(([name, text]) => [`.github/workflows/${name}`, text])),
  ".github/actions/greet/action.yml": greet,
  "src/page.js": "export {}\n"
}
