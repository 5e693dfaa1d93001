import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const FILE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));

const text = readFileSync(FILE, 'utf8');
const findings = [...(await findWithSpectral()), ...(await findWithRedocly())];
for (const finding of findings) console.error(finding);
console.log(`docs/openapi.json: ${findings.length} findings of Spectral's and Redocly's recommended rules.`);
process.exit(findings.length === 0 ? 0 : 1);

async function findWithSpectral(): Promise<string[]> {
  const { Spectral } = spectralCore;
  const spectral = new Spectral();
  // Its own type lacks a field that the core's requires.
  spectral.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
  const found = await spectral.run(JSON.parse(text));
  return found.map(({ code, message, path }) => `spectral ${code}: ${message} (${path.join('.')})`);
}

async function findWithRedocly(): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: text, absoluteRef: FILE, config });
  return found.map(
    ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}
