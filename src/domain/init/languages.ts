/** Guesses a folder's programming language from its files, and what a development container for it needs. */
import { hasText, type Step, says } from './steps.ts'

/**
 * `debug`: the port of the usual debugger. `prepare`, `start`: how such a program is usually prepared and started; the
 * first command that the folder's files support. `caches` are kept when the container is replaced.
 */
export type Language = {
  readonly name: string
  readonly image: string
  readonly prepare?: ReadonlyArray<Step>
  readonly start: ReadonlyArray<Step>
  readonly debug?: number
  readonly caches: ReadonlyArray<string>
}

type Rule = Language & { readonly marks: ReadonlyArray<string>; readonly ending: RegExp }

const gradleBuild = /^build\.gradle(?:\.kts)?$/

/** In order of precedence: a project with a package.json for its front end is often not a JavaScript project. */
const rules: ReadonlyArray<Rule> = [
  {
    name: 'go',
    image: 'golang:1',
    start: [{ run: 'go run .', file: /^main\.go$/ }],
    debug: 2345,
    caches: ['/go/pkg', '/root/.cache/go-build'],
    marks: ['go.mod'],
    ending: /\.go$/,
  },
  {
    name: 'rust',
    image: 'rust:1',
    start: [{ run: 'cargo run', file: /^Cargo\.toml$/, with: says(/^\[package\]/m) }],
    caches: ['/usr/local/cargo/registry'],
    marks: ['Cargo.toml'],
    ending: /\.rs$/,
  },
  {
    name: 'java',
    image: 'gradle:8-jdk21',
    start: [
      { run: 'gradle bootRun', file: gradleBuild, with: says(/org\.springframework\.boot/) },
      { run: 'gradle run', file: gradleBuild, with: says(/\bapplication\b/) },
    ],
    debug: 5005,
    caches: ['/home/gradle/.gradle'],
    marks: ['build.gradle', 'build.gradle.kts'],
    ending: /\.kts$/,
  },
  {
    name: 'java',
    image: 'maven:3-eclipse-temurin-21',
    start: [{ run: 'mvn spring-boot:run', file: /^pom\.xml$/, with: says(/spring-boot-maven-plugin/) }],
    debug: 5005,
    caches: ['/root/.m2'],
    marks: ['pom.xml'],
    ending: /\.java$/,
  },
  {
    name: '.net',
    image: 'mcr.microsoft.com/dotnet/sdk:8.0',
    start: [{ run: 'dotnet watch run', file: /\.(?:cs|fs)proj$/ }],
    caches: ['/root/.nuget/packages'],
    marks: [],
    ending: /\.(?:csproj|fsproj|sln|cs)$/,
  },
  {
    name: 'python',
    image: 'python:3',
    prepare: [
      { run: 'pip install -r requirements.txt', file: /^requirements\.txt$/ },
      { run: 'pip install --editable .', file: /^(?:pyproject\.toml|setup\.py)$/ },
    ],
    start: [
      { run: 'python manage.py runserver 0.0.0.0:8000', file: /^manage\.py$/ },
      { run: 'python main.py', file: /^main\.py$/ },
      { run: 'python app.py', file: /^app\.py$/ },
    ],
    debug: 5678,
    caches: ['/root/.cache/pip'],
    marks: ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py', 'manage.py'],
    ending: /\.py$/,
  },
  {
    name: 'ruby',
    image: 'ruby:3',
    prepare: [{ run: 'bundle install', file: /^Gemfile$/ }],
    start: [
      { run: 'bundle exec rackup --host 0.0.0.0', file: /^config\.ru$/ },
      { run: 'bundle exec ruby app.rb', file: /^app\.rb$/ },
      { run: 'bundle exec ruby main.rb', file: /^main\.rb$/ },
    ],
    debug: 1234,
    caches: ['/usr/local/bundle'],
    marks: ['Gemfile'],
    ending: /\.rb$/,
  },
  {
    name: 'php',
    image: 'composer:2',
    prepare: [{ run: 'composer install', file: /^composer\.json$/ }],
    start: [{ run: 'php -S 0.0.0.0:8080', file: /^index\.php$/ }],
    caches: ['/tmp/cache'],
    marks: ['composer.json'],
    ending: /\.php$/,
  },
  {
    name: 'node',
    image: 'node:22',
    prepare: [{ run: 'npm install', file: /^package\.json$/ }],
    start: [
      { run: 'npm run dev', file: /^package\.json$/, with: hasText('scripts', 'dev') },
      { run: 'npm start', file: /^package\.json$/, with: hasText('scripts', 'start') },
    ],
    debug: 9229,
    caches: ['/root/.npm'],
    marks: ['package.json'],
    ending: /\.[cm]?[jt]sx?$/,
  },
]

/** Used when the language is unknown. */
export const anyLanguage: Language = {
  name: 'any language',
  image: 'debian:12',
  start: [],
  caches: [],
}

/** Decided by the names of the files: one that only a single language has, otherwise the most common extension. */
export const languageOf = (names: ReadonlyArray<string>): Language | undefined => {
  const marked = rules.find(({ marks }) => marks.some((mark) => names.includes(mark)))
  if (marked !== undefined) return marked
  const counts = rules.map((rule) => ({ rule, count: names.filter((name) => rule.ending.test(name)).length }))
  const [best] = counts.toSorted((a, b) => b.count - a.count)
  return best === undefined || best.count === 0 ? undefined : best.rule
}

/** The files whose text decides how a program is started. */
export const startFiles: ReadonlyArray<RegExp> = rules.flatMap(({ start }) =>
  start.flatMap((step) => (step.with === undefined ? [] : [step.file])),
)
