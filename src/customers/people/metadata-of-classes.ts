/**
 * Packages that the library of passkeys uses require this one before they are loaded. A module of its own: a
 * bundle runs what a module requires after all modules that it imports, and so would load it too late.
 */
import 'reflect-metadata'
