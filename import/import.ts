import { withProgress } from '../infra/progress.ts';
import { print, printable, printableJson } from '../infra/terminal.ts';
import { API_OPTIONS, type Api, openApi } from '../scripts/frame/api.ts';
import { CommandError, EXIT, option, runCommand } from '../scripts/frame/command.ts';
import { openState, writeContacts, writeSuppressions, writeTemplates } from './apply.ts';
import { type Contact, suppressedLine } from './contact.ts';
import { type ImportedTemplate, readTemplates } from './email-templates.ts';
import { FIELDS } from './plain-csv.ts';
import { readLines, type Source } from './read-file.ts';
import { Summary } from './report.ts';

const OPTIONS = {
  yes: { type: 'boolean' },
  apply: option.flag(
    'write to the environment of the key; repeating it is safe and continues where it stopped',
  ),
  restart: option.flag('start from the first line again'),
  topic: option.value('<id>', 'add the users to this topic'),
  column: option.values(
    '<field=name>',
    `CSV: the column of a field, NDJSON: its name or path, if it is unusual; pushTokens,\nwebPushTokens and preferences are JSON lists; fields: ${FIELDS.join(', ')}`,
  ),
  delimiter: option.value(
    '<character>',
    'CSV separator: comma, semicolon, tab or | (default: detected from the header)',
  ),
  ...API_OPTIONS,
} as const;

const ABOUT = `Imports users from another service: their addresses, devices, attributes, preferences, opt-outs and suppressions. Also converts email
templates of SES and Pinpoint to types and templates in Liquid. Shows what it would do unless --apply is given.

npm run import -- pinpoint <file> [options]   endpoints exported by Pinpoint (JSON lines or CSV), or email templates
npm run import -- csv <file> [options]        CSV with a header line
npm run import -- ndjson <file> [options]     one JSON object per line, with the fields of POST /users/{userId} and preferences
npm run import -- suppressions <file> [options]   CSV of addresses to suppress, with a column reason (Bounce or Complaint); no users`;

const NOTES = `Files can be compressed with gzip.`;

const BATCH = 100;

type Options = {
  isApplied: boolean;
  isRestart: boolean;
  isJson: boolean;
  topic: string | undefined;
  isSuppressions: boolean;
};

async function importContacts(source: Source, api: Api | undefined, options: Options): Promise<void> {
  const { isRestart, isJson, topic, isSuppressions } = options;
  const summary = new Summary();
  const { kind, columns, delimiter } = source;
  const into = JSON.stringify([api?.digest, kind, columns, delimiter, topic, isSuppressions]);
  const state = api && openState(source.file, into, { isRestart });
  const skipped = state?.done ?? 0;
  let batch: Contact[] = [];
  await withProgress({ isJson, resume: 'Repeat the command to continue.' }, async (show) => {
    const flush = async () => {
      if (api && isSuppressions) await writeSuppressions(api, batch, summary);
      else if (api && batch.length > 0) await writeContacts(api, batch, topic, summary);
      batch = [];
      state?.save(summary.counts.lines);
      show(`${summary.counts.lines} lines, ${summary.counts.rejected} rejected`);
    };
    for await (const line of readLines(source)) {
      const contact = summary.add(isSuppressions ? suppressedLine(line) : line);
      if (contact && summary.counts.lines > skipped) batch.push(contact);
      if (batch.length === BATCH) await flush();
    }
    await flush();
  });
  state?.remove();
  if (isJson) print(printableJson({ applied: options.isApplied, ...summary.json() }));
  else {
    print(summary.text());
    print(api ? `Imported into ${api.url}.` : 'Nothing is written. Pass --apply to import.');
  }
}

async function importTemplates(
  templates: readonly ImportedTemplate[],
  api: Api | undefined,
  { isApplied, isJson }: Options,
): Promise<void> {
  if (api) await writeTemplates(api, templates);
  if (isJson) {
    print(printableJson({ applied: isApplied, templates }));
    return;
  }
  for (const { notificationId, content, parameters, problems } of templates) {
    print(printable(`${notificationId}: ${content.subject}`));
    if (parameters.length > 0) print(`  parameters to send: ${parameters.join(', ')}`);
    for (const problem of problems) print(`  not carried over: ${problem}`);
  }
  print(
    api
      ? `${templates.length} types and templates are in ${api.url}.`
      : 'Nothing is written. Pass --apply to import.',
  );
}

runCommand(
  { about: ABOUT, options: OPTIONS, notes: NOTES, hasArguments: true },
  async (values, positionals) => {
    const [named = '', file, ...more] = positionals;
    if (
      !['pinpoint', 'csv', 'ndjson', 'suppressions'].includes(named) ||
      file === undefined ||
      more.length > 0
    )
      throw new CommandError(
        'Pass pinpoint, csv, ndjson or suppressions, and one file. --help shows examples.',
        EXIT.usage,
      );
    const kind = named === 'pinpoint' || named === 'ndjson' ? named : 'csv';
    const isApplied = values.apply === true || values.yes === true;
    const api = isApplied ? await openApi(values) : undefined;
    const options = {
      isApplied,
      isRestart: values.restart === true,
      isJson: values.json === true,
      topic: values.topic,
      isSuppressions: named === 'suppressions',
    };
    const templates = kind === 'pinpoint' ? readTemplates(file) : undefined;
    if (templates) await importTemplates(templates, api, options);
    else {
      const { column: columns = [], delimiter } = values;
      await importContacts({ kind, file, columns, delimiter }, api, options);
    }
  },
);
