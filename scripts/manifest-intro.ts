/** What stands above the tables of docs/manifest.md. */

export const manifestIntro = `A \`devtool.yml\` says what belongs to an environment besides its Compose files: what is built, which commands deploy and destroy
it, which other repositories it needs, and how its services are developed. The smallest one runs a command and deploys a Compose file:

\`\`\`yaml
deploy:
  commands:
    - helm upgrade --install db charts/db
  compose: compose.yaml
\`\`\`

## Which file is one

Any file with \`build\`, \`deploy\`, \`dependencies\`, \`destroy\`, \`dev\`, \`external\` or \`forward\` at its top level is a manifest, whatever its
name. Without \`--file\` devtool takes \`devtool.yml\` or \`devtool.yaml\`, of this folder or of \`.devtool\`, before it looks for Compose files. One
manifest describes an environment; further files after \`--file\` are Compose files that are merged over it.

Where there is neither, a Helm chart (\`chart\`, \`charts\`, \`helm/chart\`, \`helm/charts\`) is deployed by \`helm upgrade --install\` under the name of
the environment, and a folder \`manifests\`, \`kubernetes\` or \`k8s\` by \`kubectl apply\`. Which it was is said on stderr.

## Paths

Relative paths and commands start from the folder of the manifest; from the folder above when that is \`.devtool\`. Paths in a Compose file that
\`deploy.compose\` names are relative to that Compose file, and the \`.env\` beside it counts for it.

## What is deployed

1. The \`dependencies\`, then the images of \`build\`.
2. The commands, in order. \`$DEVTOOL_ENV\` names a file: what a command writes there as \`NAME=value\`, the next ones have as variables.
3. The Compose files of \`deploy.compose\`, with the \`services\`, \`volumes\`, \`networks\`, \`configs\`, \`secrets\`, \`include\` and \`endpoints\` of the
   manifest itself merged over them. Those keys mean what they mean in a [Compose file](compose.md).

\`services\` of a Compose file limits what of it is deployed; what these services depend on comes along. \`deploy.endpoints\` stands in place of
all other endpoints, with the warning DT1512. \`name\` of the manifest wins over that of its Compose files; \`--name\` and DEVTOOL_NAME win over both.

\`deploy --dry-run\` prints what is made of step 3 and says how much of steps 1 and 2 it leaves out.

## Variables

Every value is interpolated by the rules of Compose: \`$NAME\`, \`\${NAME}\`, \`\${NAME:-default}\`, \`\${NAME:?message}\`, \`\${NAME:+other}\`, and \`$$\` for a
dollar sign. Values come from \`--var\`, the environment, and \`--env-file\` or \`.env\`, in this order.

**Commands are left as they are written**: the text of \`command\` in \`deploy\` and \`destroy\`, and \`command\` and \`args\` in \`dev\`. A shell runs them, with the
same variables and those of the running deploy, so \`$(date)\`, \`\${HOME%/}\` and \`$$\` mean there what they mean in a shell. Other tools of this kind
expand only some fields; here it is all of them but commands.

Variables that only a running deploy knows (\`DEVTOOL_BUILD_*\`, \`DEVTOOL_DEPENDENCY_*\`, \`DEVTOOL_EXTERNAL_*\`) stay as they are written until then. In Compose
files \`\${DEVTOOL_BUILD_<NAME>_IMAGE}\`, \`_REGISTRY\`, \`_REPOSITORY\`, \`_TAG\` and \`_SHA\` are those of the image that \`build\` names, with the tag \`dev\` where none is
given, until it is built. In \`<NAME>\` letters are upper case and \`-\` is \`_\`.

## Names

Names of images, development containers and dependencies become parts of object names and variables. One that is no DNS label is changed to one
with the warning DT1103; two that are the same then are the error DT1504.

## Not here

\`remote\`, \`image\` and \`context\` of \`deploy\` and \`destroy\`, and \`divert\`, need the platform: each is a warning. The section \`test\` is an error, for nothing would
run it. A local path of \`dev\` is looked at by \`up\` only, so that a manifest can be checked on another machine.

\`devtool validate\` checks all of it, \`devtool schema manifest\` prints the JSON Schema for editors.
`
