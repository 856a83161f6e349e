/** The introduction of docs/manifest.md. */

export const manifestIntro = `A \`devtool.yml\` describes what belongs to an environment in addition to its Compose files: the images to build, the commands that deploy
and destroy it, the repositories it depends on, and how its services are developed. The smallest one runs a command and deploys a Compose file:

\`\`\`yaml
deploy:
  commands:
    - helm upgrade --install db charts/db
  compose: compose.yaml
\`\`\`

## Which files are manifests

Any file with \`build\`, \`deploy\`, \`dependencies\`, \`destroy\`, \`dev\`, \`external\` or \`forward\` at its top level is a manifest, whatever its
name. Without \`--file\`, devtool looks for \`devtool.yml\` or \`devtool.yaml\`, in this folder or in \`.devtool\`, before it looks for Compose files. An
environment has one manifest; further files given with \`--file\` are Compose files that are merged over it.

If there is neither, a Helm chart (\`chart\`, \`charts\`, \`helm/chart\`, \`helm/charts\`) is deployed with \`helm upgrade --install\` under the name of
the environment, and a folder \`manifests\`, \`kubernetes\` or \`k8s\` with \`kubectl apply\`. Which one was used is printed on stderr.

## Paths

Relative paths and commands start from the folder of the manifest, or from its parent if that folder is \`.devtool\`. Paths in a Compose file that
\`deploy.compose\` names are relative to that Compose file, and the \`.env\` next to it applies to it.

## What is deployed

1. The \`dependencies\`, then the images of \`build\`.
2. The commands, in order. Commands can write lines \`NAME=value\` to the file \`$DEVTOOL_ENV\`; later commands get these as variables.
3. The Compose files of \`deploy.compose\`, with the \`services\`, \`volumes\`, \`networks\`, \`configs\`, \`secrets\`, \`include\` and \`endpoints\` of the
   manifest itself merged over them. These keys mean the same as in a [Compose file](compose.md).

With \`services\`, an entry of \`deploy.compose\` deploys only these services of its file and those they depend on. \`deploy.endpoints\` replaces
all other endpoints, with the warning DT1512. \`name\` of the manifest takes precedence over that of its Compose files; \`--name\` and DEVTOOL_NAME take precedence over both.

\`deploy --dry-run\` prints the objects of step 3 and lists what it leaves out of steps 1 and 2.

## Variables

Every value is interpolated as in Compose: \`$NAME\`, \`\${NAME}\`, \`\${NAME:-default}\`, \`\${NAME:?message}\`, \`\${NAME:+other}\`, and \`$$\` for a
dollar sign. Values come from \`--var\`, the environment, and \`--env-file\` or \`.env\`, in this order.

**Commands are not interpolated**: the text of \`command\` in \`deploy\` and \`destroy\`, and \`command\` and \`args\` in \`dev\`. They are run by a shell with the
same variables and those of the running deploy, so \`$(date)\`, \`\${HOME%/}\` and \`$$\` have their usual meaning in a shell. Similar tools only interpolate
some fields; here it is every field except commands.

Variables that are only known during a deploy (\`DEVTOOL_BUILD_*\`, \`DEVTOOL_DEPENDENCY_*\`, \`DEVTOOL_EXTERNAL_*\`) stay as written until then. In Compose
files, \`\${DEVTOOL_BUILD_<NAME>_IMAGE}\`, \`_REGISTRY\`, \`_REPOSITORY\`, \`_TAG\` and \`_SHA\` refer to the image in \`build\`, with the tag \`dev\` unless one is
given, until the image is built. In \`<NAME>\`, letters are upper case and \`-\` becomes \`_\`.

## Names

Names of images, development containers and dependencies become part of object names and variables. A name that is not a DNS label is changed to one,
with the warning DT1103; if two names become the same, DT1504 is reported.

## Limits

\`remote\`, \`image\` and \`context\` of \`deploy\` and \`destroy\`, and \`divert\`, need the platform: each causes a warning. The section \`test\` is an error, since nothing would
run it. Local paths in \`dev\` are only checked by \`up\`, so that a manifest can be validated on another machine.

## In an editor

\`devtool validate\` checks all of this, \`devtool schema --install\` has VS Code check it while you type, and \`devtool schema manifest\`
prints the JSON Schema for other editors: save it as \`devtool.schema.json\`, and begin the file with \`# yaml-language-server: $schema=devtool.schema.json\`.
For VS Code, with its extension YAML, \`--install\` saves the schemas and adds these settings to \`.vscode/settings.json\`:

\`\`\`json
{
  "yaml.schemas": {
    "./.vscode/compose.schema.json": [
      "devtool-compose.yml", "devtool-compose.yaml", "compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml",
      "compose.*.y*ml", "docker-compose.*.y*ml"
    ],
    "./.vscode/devtool.schema.json": ["devtool.yml", "devtool.yaml", ".devtool/devtool.yml", ".devtool/devtool.yaml"]
  }
}
\`\`\`
`
