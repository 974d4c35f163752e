import { createContext } from 'react';

export type Theme = 'light' | 'dark';

/** The theme of the application: when it changes, the charts take its colours again. */
export const ThemeContext = createContext<Theme>('light');
