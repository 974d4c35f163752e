// Writes src/schema.ts from the wire schema; with --check, only says whether it is current.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compileFromFile } from 'json-schema-to-typescript';

const schema = fileURLToPath(
  new URL('../../jupyter_mlprof/model/profile.schema.json', import.meta.url)
);
const target = fileURLToPath(new URL('../src/schema.ts', import.meta.url));
const banner =
  '/**\n * Generated from jupyter_mlprof/model/profile.schema.json by `npm run types`.\n * Do not edit: change the schema and run it again.\n */';

const types = await compileFromFile(schema, {
  additionalProperties: false,
  bannerComment: banner,
  style: { singleQuote: true, trailingComma: 'none' }
});

if (!process.argv.includes('--check')) {
  await writeFile(target, types);
} else if ((await readFile(target, 'utf-8')) !== types) {
  console.error('labextension/src/schema.ts is old: run `npm run types`.');
  process.exitCode = 1;
}
