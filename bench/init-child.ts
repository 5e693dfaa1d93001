/** Loads one bundle in this fresh process and prints the time: `node init-child.ts <entry file>`. */
const [entry = ''] = process.argv.slice(2);
const cpuBefore = process.cpuUsage();
const beganAtMs = performance.now();
await import(entry);
const wallMs = performance.now() - beganAtMs;
const { user, system } = process.cpuUsage(cpuBefore);
process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));
process.exit(0);
