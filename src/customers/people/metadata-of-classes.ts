/**
 * Packages of the passkey library need this one to be loaded before them. It is a module of its own: a bundle
 * runs `require` calls of a module after all modules that it imports, which would be too late.
 */
import 'reflect-metadata'
