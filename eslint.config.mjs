import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['labextension/lib/', 'jupyter_mlprof/'] },
  {
    files: ['labextension/**/*.{ts,tsx}', 'vitest.config.ts'],
    extends: [
      ...tseslint.configs.strictTypeChecked,
      ...tseslint.configs.stylisticTypeChecked
    ],
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['vitest.config.ts']
        },
        tsconfigRootDir: import.meta.dirname
      }
    },
    rules: {
      curly: 'error',
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 50, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'interface',
          format: ['PascalCase'],
          custom: { regex: '^I[A-Z]', match: true }
        }
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true }
      ]
    }
  },
  {
    // Generated: the names are those of the wire schema.
    files: ['labextension/src/schema.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' }
  },
  {
    files: ['labextension/test/**'],
    rules: { 'max-lines-per-function': 'off' }
  }
);
