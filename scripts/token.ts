import { parseArgs } from 'node:util';

const HELP = `Prints an access token of the local run, which must be running.

npm run token -- --member <id>     a member's token; GET /members lists the ids
npm run token -- --person <name>   a token of a person who is no member yet, to accept an invitation
  --url <base URL>                 of the local run (default http://localhost:3000)`;

const OPTIONS = {
  member: { type: 'string' },
  person: { type: 'string' },
  url: { type: 'string' },
  help: { type: 'boolean' },
} as const;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS, strict: true });
  const { member, person } = values;
  if (values.help || (member === undefined) === (person === undefined)) {
    console.log(HELP);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const base = values.url ?? process.env.PUBLIC_BASE_URL ?? 'http://localhost:3000';
  const response = await fetch(`${base}/_sandbox/issuer/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(member === undefined ? { person } : { member }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(textOf(answer, 'message') ?? 'The local run gave no token.');
  console.log(textOf(answer, 'accessToken'));
}

function textOf(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof text === 'string' ? text : undefined;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : 'The local run gave no token.');
  process.exit(1);
});
