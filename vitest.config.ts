import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'jsdom',
    include: ['labextension/test/**/*.spec.{ts,tsx}'],
    setupFiles: ['labextension/test/setup.ts'],
    testTimeout: 30_000,
    // Yjs says this whenever a cell is made outside of a notebook.
    onConsoleLog: text => !text.includes('Add Yjs type to a document')
  }
});
